"""One session of an unmodified a2a-sdk 0.3 client with the demo agents; prints what it saw as JSON.

python a2a_client_v03.py RELAY BINDING, with the token in A2A_TOKEN
"""

import asyncio
import json
import os
import sys

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.client.helpers import create_text_message_object
from a2a.types import (
    GetTaskPushNotificationConfigParams,
    PushNotificationConfig,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
)


def message(text, task_id=None):
    return create_text_message_object(content=text).model_copy(update={"task_id": task_id})


def plain(value):
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


def plain_event(event):
    """The task, or the update of it that came; a message as it is."""
    if isinstance(event, tuple):
        task, update = event
        return plain(task if update is None else update)
    return plain(event)


async def collect(events):
    return [plain_event(event) async for event in events]


async def refused(call):
    try:
        await call
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "not refused"


async def push_configs(client, task_id):
    config = PushNotificationConfig(id="one", url="https://example.com/hook", token="t")
    of_task = TaskPushNotificationConfig(task_id=task_id, push_notification_config=config)
    named = GetTaskPushNotificationConfigParams(id=task_id, push_notification_config_id="one")
    return {
        "set": plain(await client.set_task_callback(of_task)),
        "got": plain(await client.get_task_callback(named)),
    }


async def session(relay, binding, headers):
    async def connect(handle, streaming):
        config = ClientConfig(
            httpx_client=httpx.AsyncClient(headers=headers, timeout=60),
            supported_transports=[binding],
            streaming=streaming,
        )
        return await ClientFactory.connect(f"{relay}/{handle}", config)

    seen = {}
    async with await connect("translator", streaming=False) as client:
        seen["sent"] = await collect(client.send_message(message('Translate "good morning" into French')))
        seen["asked"] = await collect(client.send_message(message('Translate "good morning"')))
        task_id = seen["asked"][0]["id"]
        seen["push"] = await push_configs(client, task_id)
        seen["answered"] = await collect(client.send_message(message("Spanish", task_id)))
        seen["got"] = plain(await client.get_task(TaskQueryParams(id=task_id, history_length=1)))
        unknown = TaskQueryParams(id="00000000-0000-8000-8000-000000000000")
        seen["unknown"] = await refused(client.get_task(unknown))
        seen["finished"] = await refused(client.cancel_task(TaskIdParams(id=task_id)))
    async with await connect("translator", streaming=True) as client:
        seen["streamed"] = await collect(client.send_message(message('Translate "good night" into German')))
        asked = await collect(client.send_message(message('Translate "thank you"')))
        task = TaskIdParams(id=asked[0]["id"])
        subscription = client.resubscribe(task)
        seen["subscribed"] = [plain_event(await anext(subscription))]
        seen["canceled"] = plain(await client.cancel_task(task))
        seen["subscribed"] += await collect(subscription)
    async with await connect("concierge", streaming=False) as client:
        seen["chatted"] = await collect(client.send_message(message("A table for two")))
    return seen


headers = {"Authorization": f"Bearer {os.environ['A2A_TOKEN']}"}
print(json.dumps(asyncio.run(session(sys.argv[1], sys.argv[2], headers))))
