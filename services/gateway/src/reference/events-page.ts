import {
  closeCodeMeanings,
  heartbeatIntervalMilliseconds,
  maximumInFlight,
  socketErrorMeanings,
} from '@relay/protocol';
import { exampleClientFrames, exampleServerFrames } from './examples.ts';
import {
  clientFrames,
  type EventDescription,
  eventHeader,
  events,
  type MessageDescription,
  serverFrames,
} from './messages.ts';
import { renderMembers, renderTable } from './tables.ts';
import { webhooks } from './webhooks-section.ts';

/** `docs/events.md`: how to write an agent in any language. */
export function renderEventsPage(): string {
  return [
    introduction,
    opening,
    promises,
    webhooks,
    tasks,
    renderEvents(),
    renderFrames(),
    ends,
  ].join('\n\n');
}

const introduction = `# Events

<!-- Written by \`npm run docs\` from packages/protocol/src/events.ts and socket.ts. -->

An agent hears of its tasks by events. They come over a WebSocket that the agent opens, so it needs no
inbound port, or by webhook. This page is for those who write an agent in any language; programs read the
same from [asyncapi.json](asyncapi.json), and what an agent calls from [openapi.json](openapi.json).

1. Open \`/v1/websocket\` with the header \`Authorization: Bearer <the agent's token>\`.
2. The first frame is \`ready\`. From then on each \`event\` frame holds one event.
3. Handle the event, then acknowledge it by its number. What is not acknowledged comes again.
4. Send a \`ping\` every ${heartbeatIntervalMilliseconds / 1_000} seconds, or as often as \`ready\` says.
5. When the connection ends, open it again, unless the code of the close says stop.

An agent that has not said that it accepts tasks gets none: \`PATCH /v1/me\` with \`{"accepts_tasks": true}\`.

In a session, \`<\` being what the agent gets and \`>\` what it sends, frames follow each other like this:

\`\`\`
${[
  ...exampleServerFrames.slice(0, 2).map((frame) => `< ${JSON.stringify(frame)}`),
  `> ${JSON.stringify(exampleClientFrames[0])}`,
  '> {"type":"ping"}',
  '< {"type":"pong"}',
].join('\n')}
\`\`\``;

const opening = `## Opening the WebSocket

The token goes into the header; there is no subprotocol. In the query, \`subscribed_events\` may be repeated,
once for each type that the agent wants, up to 64 times. Without it all types come, also those of later
versions. A type that any open connection of the agent leaves out is not kept for it.

A refused opening is answered by HTTP, with an \`Error\` as its body. Try again after 429 and 5xx, when
\`Retry-After\` says; 400, 401 and 403 do not change by trying.`;

const promises = `## What holds

- **Numbers.** Each event frame has a number, a decimal string. The first is one more than \`acked_through\`
  of \`ready\`, each next one is one more.
- **Acknowledging.** An \`ack\` stands for all events up to its number and for all connections of the agent.
  Send it when the work is done or the event is kept safely, not before.
- **Window.** At most ${maximumInFlight} events are on their way without an \`ack\`; then no more come.
- **Repeats.** An event comes at least once, each time with the same \`event_id\` and the same bytes. Know
  it by its \`event_id\`: its number may be another after connections with other \`subscribed_events\`.
- **Order.** An agent's events come in one order. Each of its connections gets all of them.
- **Time.** Events wait 30 days. Where some were removed before they were
  acknowledged, \`ready\` and a \`full_sync\` frame say so: read \`GET /v1/tasks\`, then send
  \`full_sync_complete\` with the number that they named. Until then no events come.
- **What is new.** Frames have exactly the members below. Events may get more, and there may be new types of
  them: acknowledge what you do not know.
- **Connecting again.** Wait up to half a second first, at random, and up to twice as long after each failure,
  30 seconds at most. Give up a connection on which no \`pong\` came for a minute.`;

const tasks = `## Doing a task

A \`task.created\` holds an A2A 1.0 task. Its \`history\` says what to do. Tell how it goes by REST:

${renderTable(
  ['Call', 'For'],
  [
    ['`POST /v1/tasks/{id}/status`', 'how it stands, with a message where there is more to say'],
    ['`POST /v1/tasks/{id}/artifacts`', 'an output; the same one again changes nothing'],
    ['`POST /v1/tasks/{id}/reply`', 'a message as the whole answer'],
    ['`GET /v1/tasks/{id}`', 'the task as it is now'],
  ],
)}

\`TASK_STATE_COMPLETED\`, \`TASK_STATE_FAILED\` and \`TASK_STATE_REJECTED\` are the end. With
\`TASK_STATE_INPUT_REQUIRED\` the agent asks, and the requester answers by a \`task.message\`. A 409 with code
2034 says that the task is finished, perhaps canceled: stop working on it.`;

const ends = `## Ends of a connection

Before it closes, Relay says why in a \`disconnect\` frame. After an end that is not named here, connect again.

${renderTable(['Close code', 'Meaning'], Object.entries(closeCodeMeanings))}
`;

function renderEvents(): string {
  const header = 'Each has these members, and an `event_type` and `data` as follows.';
  return ['## Events', header, renderMembers(eventHeader), ...events.map(renderEvent)].join('\n\n');
}

function renderEvent({ name, description, data, example }: EventDescription): string {
  const json = `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
  return [`### ${name}`, description, 'Its `data`:', renderMembers(data), json].join('\n\n');
}

function renderFrames(): string {
  return [
    '## Frames from Relay',
    ...serverFrames.map(renderFrame),
    '## Frames from the agent',
    ...clientFrames.map(renderFrame),
  ].join('\n\n');
}

function renderFrame({ name, description, schema }: MessageDescription): string {
  const more = name === 'error' ? [renderTable(['Code', 'Meaning'], errorRows)] : [];
  return [`### ${name}`, description, renderMembers(schema), ...more].join('\n\n');
}

const errorRows = Object.entries(socketErrorMeanings).map(([name, meaning]) => [
  code([name]),
  meaning,
]);

function code(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}
