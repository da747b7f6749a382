import css from './Playback.module.css'

interface Props {
  length: number
  place: number
  /** The current position as text, for screen readers. */
  valueText: string
  onGo: (place: number) => void
}

/** The slider that shows and sets the position in a recording. */
export function PositionSlider({ length, place, valueText, onGo }: Props) {
  return (
    <input
      type="range"
      className={css.slider}
      aria-label="Position in the recording"
      aria-valuetext={valueText}
      min={0}
      max={length}
      step="any"
      value={place}
      onChange={event => onGo(event.currentTarget.valueAsNumber)}
    />
  )
}
