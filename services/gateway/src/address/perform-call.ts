import type { OperationCall } from '@relay/protocol';
import type { FastifyReply } from 'fastify';
import type { AddressCall } from './address-call.ts';
import { answer } from './answer.ts';
import { getExtendedCard } from './extended-card.ts';
import { isPushCall, performPushCall } from './push-operations.ts';
import { sendMessage } from './send-message.ts';
import { sendStreamingMessage, subscribeToTask } from './stream-task.ts';
import { cancelTask, getNamedTask, getTask, listTasks } from './task-operations.ts';

/** Does what was asked for, and answers. No async function: one that waits would hold the parameters. */
export function performCall(call: AddressCall, asked: OperationCall): Promise<FastifyReply> {
  const { encoder, reply } = call;
  if (isPushCall(asked)) return performPushCall(call, asked);
  switch (asked.operation) {
    case 'SendMessage':
      return answer(call, sendMessage(call, asked.request), encoder.answer);
    case 'SendStreamingMessage':
      return sendStreamingMessage(call, asked.request, asked.endsWhenAsked).then(() => reply);
    case 'GetTask':
      return answer(call, getTask(call, asked.request), encoder.task);
    case 'GetNamedTask':
      return answer(call, getNamedTask(call, asked.request), encoder.answer);
    case 'ListTasks':
      return answer(call, listTasks(call, asked.request), (list) => list);
    case 'CancelTask':
      return answer(call, cancelTask(call, asked.request), encoder.task);
    case 'SubscribeToTask':
      return subscribeToTask(call, asked.request).then(() => reply);
    case 'GetExtendedAgentCard':
      reply.header('cache-control', 'private, no-cache');
      return answer(call, getExtendedCard(call), (card) => card);
  }
}
