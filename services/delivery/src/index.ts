export { type Delivery, type DeliveryOptions, startDelivery } from './delivery.ts';
export { startOutbound } from './start-outbound.ts';
