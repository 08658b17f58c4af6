export { type Delivery, type DeliveryOptions, startDelivery } from './delivery.ts';
export { startFanOut } from './fan-out/start-fan-out.ts';
export { startOutbound } from './start-outbound.ts';
