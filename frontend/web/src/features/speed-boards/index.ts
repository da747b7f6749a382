export { SpeedPlaces } from './SpeedPlaces'
export { useSpeedResult } from './SpeedResult'
