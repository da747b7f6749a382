import { Tooltip } from '@mantine/core'
import { playbackStyles as css, type Line, PositionSlider } from '@/features/playback'
import { formatRoughDuration } from '../labels'
import type { PlaybackEvent } from './events'

export interface Mark extends Pick<PlaybackEvent, 'id' | 'kind' | 'name'> {
  place: number
}

interface Props {
  line: Line
  place: number
  marks: Mark[]
  /** The current position as text, for screen readers. */
  valueText: string
  onGo: (place: number) => void
}

const SHOWN = 300

/** The timeline of a recording: a slider, and above it what happened, each of which jumps to its position. */
export function TimelineMarks({ line, place, marks, valueText, onGo }: Props) {
  const share = (at: number) => `${line.length ? (100 * at) / line.length : 0}%`
  return (
    <div className={css.line}>
      <div className={css.marks}>
        {line.pauses.slice(0, SHOWN).map(pause => (
          <Tooltip key={pause.begins} label={`A pause of ${formatRoughDuration(pause.lasted / 1000)}`}>
            <span className={css.pause} style={{ left: share(pause.begins) }} />
          </Tooltip>
        ))}
        {marks.slice(0, SHOWN).map(mark => (
          <Tooltip key={mark.id} label={mark.name}>
            <button
              type="button"
              className={css.mark}
              data-kind={mark.kind}
              aria-label={`Go to: ${mark.name}`}
              style={{ left: share(mark.place) }}
              onClick={() => onGo(mark.place)}
            />
          </Tooltip>
        ))}
      </div>
      <PositionSlider length={line.length} place={place} valueText={valueText} onGo={onGo} />
    </div>
  )
}
