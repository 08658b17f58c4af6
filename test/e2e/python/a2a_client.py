"""One session of an unmodified a2a-sdk 1.x client with the demo agents; prints what it saw as JSON.

python a2a_client.py RELAY BINDING, with the token in A2A_TOKEN
"""

import asyncio
import json
import os
import sys

import httpx
from a2a.client import ClientConfig, create_client
from a2a.helpers import new_text_message
from a2a.types import (
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTasksRequest,
    Role,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskPushNotificationConfig,
)
from google.protobuf.json_format import MessageToDict


def request(text, task_id=None):
    message = new_text_message(text, role=Role.ROLE_USER, task_id=task_id)
    return SendMessageRequest(message=message)


async def collect(events):
    return [MessageToDict(event) async for event in events]


async def refused(call):
    try:
        await call
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "not refused"


async def push_configs(client, task_id):
    config = TaskPushNotificationConfig(task_id=task_id, id="one", url="https://example.com/hook", token="t")
    named = {"task_id": task_id, "id": "one"}
    of_task = ListTaskPushNotificationConfigsRequest(task_id=task_id)
    seen = {
        "created": MessageToDict(await client.create_task_push_notification_config(config)),
        "got": MessageToDict(
            await client.get_task_push_notification_config(GetTaskPushNotificationConfigRequest(**named))
        ),
        "listed": MessageToDict(await client.list_task_push_notification_configs(of_task)),
    }
    await client.delete_task_push_notification_config(DeleteTaskPushNotificationConfigRequest(**named))
    seen["left"] = MessageToDict(await client.list_task_push_notification_configs(of_task))
    return seen


async def session(relay, binding, headers):
    async def connect(handle, streaming):
        config = ClientConfig(
            httpx_client=httpx.AsyncClient(headers=headers, timeout=60),
            supported_protocol_bindings=[binding],
            streaming=streaming,
        )
        return await create_client(f"{relay}/{handle}", config)

    seen = {}
    async with await connect("translator", streaming=False) as client:
        seen["sent"] = await collect(client.send_message(request('Translate "good morning" into French')))
        seen["asked"] = await collect(client.send_message(request('Translate "good morning"')))
        task_id = seen["asked"][0]["task"]["id"]
        seen["push"] = await push_configs(client, task_id)
        seen["answered"] = await collect(client.send_message(request("Spanish", task_id)))
        seen["got"] = MessageToDict(await client.get_task(GetTaskRequest(id=task_id, history_length=1)))
        seen["listed"] = MessageToDict(await client.list_tasks(ListTasksRequest(page_size=2)))
        seen["unknown"] = await refused(client.get_task(GetTaskRequest(id="00000000-0000-8000-8000-000000000000")))
        seen["finished"] = await refused(client.cancel_task(CancelTaskRequest(id=task_id)))
    async with await connect("translator", streaming=True) as client:
        seen["streamed"] = await collect(client.send_message(request('Translate "good night" into German')))
        async for event in client.send_message(request('Translate "thank you"')):
            if event.HasField("status_update"):
                task_id = event.status_update.task_id
                break
        subscription = client.subscribe(SubscribeToTaskRequest(id=task_id))
        seen["subscribed"] = [MessageToDict(await anext(subscription))]
        seen["canceled"] = MessageToDict(await client.cancel_task(CancelTaskRequest(id=task_id)))
        seen["subscribed"] += await collect(subscription)
    async with await connect("concierge", streaming=False) as client:
        seen["chatted"] = await collect(client.send_message(request("A table for two")))
    return seen


headers = {"Authorization": f"Bearer {os.environ['A2A_TOKEN']}"}
print(json.dumps(asyncio.run(session(sys.argv[1], sys.argv[2], headers))))
