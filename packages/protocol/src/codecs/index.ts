/** The wire versions of A2A, each as it is read and written. */

export type {
  AnswerEncoder,
  DecodedCall,
  MessageRequest,
  MethodDecoder,
  OperationCall,
  StreamUpdate,
} from './decoded-call.ts';
export {
  agentCardV01Schema,
  agentCardV03HttpSchema,
  agentCardV03Schema,
  encodeCardV01,
  encodeCardV03,
} from './older-cards.ts';
export { encodePushNotification, pushMediaType } from './push-notification.ts';
export { type MethodV1, methodsV1 } from './v1.ts';
export {
  namedTaskParamsSchema,
  sendParamsV01Schema,
  setPushConfigParamsV01Schema,
} from './v01/decode.ts';
export {
  methodsV01,
  type NamedTaskCall,
  type NamedTaskDecoder,
} from './v01/methods.ts';
export { eventV01Schema, pushConfigV01Schema, taskV01Schema } from './v01/shapes.ts';
export {
  pushConfigParamsV03Schema,
  sendParamsV03Schema,
  setPushConfigParamsV03Schema,
} from './v03/decode.ts';
export { methodsV03 } from './v03/methods.ts';
export {
  eventV03Schema,
  messageV03Schema,
  pushConfigV03Schema,
  taskV03Schema,
} from './v03/shapes.ts';
export {
  createPushConfigBodyV03HttpSchema,
  sendBodyV03HttpSchema,
} from './v03-http/decode.ts';
export { operationsV03Http } from './v03-http/operations.ts';
export {
  answerV03HttpSchema,
  eventV03HttpSchema,
  pushConfigPageV03HttpSchema,
  pushConfigV03HttpSchema,
  taskV03HttpSchema,
} from './v03-http/shapes.ts';
