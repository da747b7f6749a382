export { LazyPlaybackScreen } from './LazyPlaybackScreen'
export { default as playbackStyles } from './Playback.module.css'
export { PlaybackControls } from './PlaybackControls'
export { PositionSlider } from './PositionSlider'
export {
  type Batch,
  doneAt,
  type Line,
  lastText,
  type Noticed,
  placeOf,
  type Recording,
  textAfter,
  timelineOf,
  toRecording,
} from './recording'
export { usePlayback } from './usePlayback'
