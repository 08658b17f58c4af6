export { type Delivery, type DeliveryOptions, startDelivery } from './delivery.ts';
