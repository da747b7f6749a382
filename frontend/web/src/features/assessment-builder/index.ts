export { type AvailableItem, useAvailableItems } from './plan/availableItems'
