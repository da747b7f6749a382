import { Tooltip } from '@mantine/core'
import css from './Playback.module.css'
import type { Signal } from './queries'
import type { Line } from './record'
import { lasting, pasted } from './words'

export interface Mark extends Pick<Signal, 'id' | 'kind' | 'size' | 'detail'> {
  place: number
}

interface Props {
  line: Line
  place: number
  marks: Mark[]
  /** Where the recording is, in words. */
  told: string
  onGo: (place: number) => void
}

const SHOWN = 300

/** The line of a recording: a slider, and above it what was noticed, each a way to its place. */
export function Marks({ line, place, marks, told, onGo }: Props) {
  const share = (at: number) => `${line.length ? (100 * at) / line.length : 0}%`
  return (
    <div className={css.line}>
      <div className={css.marks}>
        {line.pauses.slice(0, SHOWN).map(pause => (
          <Tooltip key={pause.begins} label={`A pause of ${lasting(pause.lasted / 1000)}`}>
            <span className={css.pause} style={{ left: share(pause.begins) }} />
          </Tooltip>
        ))}
        {marks
          .filter(mark => mark.kind !== 'focus')
          .slice(0, SHOWN)
          .map(mark => (
            <Tooltip key={mark.id} label={nameOf(mark)}>
              <button
                type="button"
                className={css.mark}
                data-kind={mark.kind}
                aria-label={`${nameOf(mark)}: go there`}
                style={{ left: share(mark.place) }}
                onClick={() => onGo(mark.place)}
              />
            </Tooltip>
          ))}
      </div>
      <input
        type="range"
        className={css.slider}
        aria-label="Place in the recording"
        aria-valuetext={told}
        min={0}
        max={line.length}
        step="any"
        value={place}
        onChange={event => onGo(event.currentTarget.valueAsNumber)}
      />
    </div>
  )
}

function nameOf(mark: Mark): string {
  if (mark.kind === 'paste') return `A paste of ${pasted(mark)}`
  return mark.kind === 'blur' ? 'The page was left' : 'Another device'
}
