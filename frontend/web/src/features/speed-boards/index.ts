export { FirstPlaces } from './FirstPlaces'
export { SpeedPlaces } from './SpeedPlaces'
export { useSpeedResult } from './SpeedResult'
