"""Sessions of two unmodified relaymessenger clients that write to each other; prints what they saw as JSON.

python relay_client.py RELAY, with RELAY_WRITER and RELAY_READER each a handle and its token, by a colon
"""

import asyncio
import json
import os
import queue
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from relaymessenger import (
    Relay,
    RelayAPIError,
    RelayWebhookConfiguredError,
    WebhookVerificationError,
    verify_webhook_signature,
)


def message(text, key=None):
    content = {"parts": [{"type": "text", "value": text}]}
    return content if key is None else {**content, "idempotency_key": key}


class Events:
    """What comes over a WebSocket, as long as it is open."""

    def __init__(self, relay, handle=None):
        self.seen = []
        self.changed = asyncio.Condition()
        self.handle = handle
        running = relay.websocket.run(on_event=self.take, on_full_sync=lambda context: None)
        self.task = asyncio.create_task(running)

    async def take(self, event, context):
        if self.handle is not None:
            await self.handle(event)
        async with self.changed:
            self.seen.append(event)
            self.changed.notify_all()

    async def until(self, event_type):
        found = lambda: [event for event in self.seen if event["event_type"] == event_type]
        async with self.changed:
            await self.changed.wait_for(found)
        return found()[0]

    async def close(self):
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def over_websocket(writer, reader, writer_handle, reader_handle):
    """The reader answers, as the README of relaymessenger shows it."""

    async def answer(event):
        if event["event_type"] != "message.received":
            return
        received = event["data"]
        reply = {**message("Got it.", f"reply-{event['event_id']}"), "reply_to": {"message_id": received["id"]}}
        await reader.chats.messages.send(received["chat"]["id"], {"message": reply})
        await reader.chats.mark_as_read(received["chat"]["id"])

    reading, writing = Events(reader, answer), Events(writer)
    created = await writer.chats.create(
        {"from": writer_handle, "to": [reader_handle], "message": message("Hi!", "intro-1")}
    )
    chat_id = created["chat"]["id"]
    again = await writer.chats.create(
        {"from": writer_handle, "to": [reader_handle], "message": message("Hi!", "intro-1")}
    )
    seen = {
        "created": created,
        "created_again": again,
        "received": await reading.until("message.received"),
        "answered": await writing.until("message.received"),
        "read": await writing.until("message.read"),
    }
    seen["sent"] = await writer.messages.create(to=[reader_handle], message=message("And this?", "second-1"))
    seen["chat"] = await writer.chats.retrieve(chat_id)
    seen["chats"] = await writer.chats.list_chats(limit=20)
    seen["messages"] = await writer.chats.messages.list(chat_id, order="desc", limit=10)
    first_id = created["chat"]["message"]["id"]
    seen["message"] = await reader.messages.retrieve(first_id)
    seen["thread"] = await writer.messages.list_messages_thread(first_id)
    await reading.close()
    await writing.close()
    return seen


async def in_group(writer, writer_handle, reader_handle):
    chats = writer.chats
    members = [reader_handle, "concierge"]
    group = await chats.create({"from": writer_handle, "to": members, "message": message("All", "group-1")})
    group_id = group["chat"]["id"]
    seen = {"created": group, "renamed": await chats.update(group_id, display_name="Trip")}
    seen["removed"] = await chats.participants.remove(group_id, handle=reader_handle)
    seen["added"] = await chats.participants.add(group_id, handle=reader_handle)
    seen["chat"] = await chats.retrieve(group_id)
    seen["left"] = await chats.leave_chat(group_id)
    return seen


async def before_a_chat(writer, reader, writer_handle, reader_handle):
    seen = {"card": await writer.contact_card.update(writer_handle, subtitle="Writes")}
    seen["cards"] = await writer.contact_card.retrieve()
    seen["found"] = await reader.contacts.lookup(handle=writer_handle)
    seen["directory"] = await reader.directory.search(q="writer", limit=10)
    seen["denied"] = await reader.access.set(writer_handle, rule="deny")
    seen["rules"] = await reader.access.list()
    refusal = await refused(writer.messages.create(to=[reader_handle], message=message("No?", "denied-1")))
    seen["refused"] = refusal
    await reader.access.remove(writer_handle)
    seen["rules_left"] = await reader.access.list()
    seen["blocked"] = await reader.blocked_handles.block(handle=writer_handle, reason="A test")
    seen["blocks"] = await reader.blocked_handles.list()
    await reader.blocked_handles.unblock(handle=writer_handle)
    seen["blocks_left"] = await reader.blocked_handles.list()
    return seen


async def refused(call):
    try:
        await call
    except RelayAPIError as error:
        return {"status": error.status, "code": error.code, "trace_id": error.trace_id}
    return None


class Webhook:
    """An endpoint that keeps what is POSTed to it."""

    def __init__(self):
        self.posted = queue.Queue()
        posted = self.posted

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                posted.put((body, dict(self.headers)))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def until(self, text):
        """What was not acknowledged over the WebSocket may come before it."""
        while True:
            body, headers = self.posted.get()
            if text.encode() in body:
                return body, headers


async def over_webhook(writer, reader, reader_handle):
    webhook = Webhook()
    subscriptions = reader.webhook_subscriptions
    created = await subscriptions.create(target_url=webhook.url, subscribed_events=["message.received"])
    seen = {"subscribed": {**created, "signing_secret": "whsec_" in created["signing_secret"]}}
    seen["retrieved"] = await subscriptions.retrieve(created["id"])
    seen["listed"] = await subscriptions.list()
    seen["types"] = await reader.webhook_events.list()
    await writer.messages.create(to=[reader_handle], message=message("By webhook", "webhook-1"))
    body, headers = await asyncio.to_thread(webhook.until, "By webhook")
    seen["unwrapped"] = reader.webhooks.unwrap(body, headers=headers, key=created["signing_secret"])
    try:
        verify_webhook_signature(created["signing_secret"], body + b" ", headers)
    except WebhookVerificationError as error:
        seen["forged"] = str(error)
    try:
        await reader.websocket.run(
            on_event=lambda event, context: None,
            on_full_sync=lambda context: None,
            on_error=lambda error: None,
        )
    except RelayWebhookConfiguredError as error:
        seen["websocket"] = str(error)
    seen["updated"] = await subscriptions.update(created["id"], is_active=False)
    await subscriptions.delete(created["id"])
    seen["left"] = await subscriptions.list()
    webhook.server.shutdown()
    return seen


async def sessions(url):
    (writer_handle, writer_token), (reader_handle, reader_token) = (
        os.environ[name].split(":", 1) for name in ("RELAY_WRITER", "RELAY_READER")
    )
    writer, reader = (Relay(token, base_url=url) for token in (writer_token, reader_token))
    unknown = "01890000-0000-7000-8000-000000000000"
    return {
        "me": await writer.me.retrieve(),
        "contacts": await before_a_chat(writer, reader, writer_handle, reader_handle),
        "websocket": await over_websocket(writer, reader, writer_handle, reader_handle),
        "group": await in_group(writer, writer_handle, reader_handle),
        "webhook": await over_webhook(writer, reader, reader_handle),
        "unknown": await refused(writer.chats.retrieve(unknown)),
        "unauthenticated": await refused(Relay("wrong", base_url=url).me.retrieve()),
    }


print(json.dumps(asyncio.run(sessions(sys.argv[1]))))
