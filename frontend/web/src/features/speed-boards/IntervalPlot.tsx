import { type ReactNode, useState } from 'react'
import css from './IntervalPlot.module.css'
import type { Interval } from './requests'
import { formatRange, formatRatio } from './words'

export interface Row {
  key: string
  /** What stands in front of the name: a place, a date. */
  mark: ReactNode
  name: ReactNode
  interval: Interval
  /** Rows of the house and rows without a place are drawn softer. */
  tone?: 'entry' | 'house' | 'soft'
  mine?: boolean
}

interface Props {
  label: string
  rows: Row[]
  /** Rows that share the axis but are drawn elsewhere. */
  also?: Interval[]
  /** Whether the rows have an order, as places have. */
  ordered?: boolean
}

/** Intervals on a common logarithmic axis. The row under the pointer shows its interval across all rows. */
export function IntervalPlot({ label, rows, also = [], ordered = true }: Props) {
  const [active, setActive] = useState<string | null>(null)
  const axis = axisOf([...rows.map(each => each.interval), ...also])
  const band = rows.find(each => each.key === active)?.interval
  const List = ordered ? 'ol' : 'ul'
  return (
    <div className={css.plot}>
      <div className={css.axis} aria-hidden="true">
        <div className={css.track}>
          {axis.ticks.map(tick => (
            <span key={tick} className={css.tick} style={{ left: axis.at(tick) }}>
              {tick} ×
            </span>
          ))}
        </div>
      </div>
      <List className={css.rows} aria-label={label}>
        {rows.map(each => (
          <li
            key={each.key}
            className={css.row}
            data-tone={each.tone ?? 'entry'}
            data-mine={each.mine || undefined}
            onPointerEnter={() => setActive(each.key)}
            onPointerLeave={() => setActive(null)}
            onFocus={() => setActive(each.key)}
            onBlur={() => setActive(null)}
          >
            <span className={css.mark}>{each.mark}</span>
            <span className={css.name}>{each.name}</span>
            <span className={css.track} aria-hidden="true">
              {axis.ticks.map(tick => (
                <i
                  key={tick}
                  className={css.line}
                  data-one={tick === 1 || undefined}
                  style={{ left: axis.at(tick) }}
                />
              ))}
              {band && <i className={css.band} style={axis.span(band)} />}
              <i className={css.bar} style={axis.span(each.interval)} />
              <i className={css.dot} style={{ left: axis.at(each.interval.ratio) }} />
            </span>
            <span className={css.ratio}>
              <b>{formatRatio(each.interval.ratio)} ×</b>
              <span className={css.range}>{formatRange(each.interval)}</span>
            </span>
          </li>
        ))}
      </List>
    </div>
  )
}

const STEPS = [1, 1.5, 2, 3, 5, 7]

/** A logarithmic axis that contains all intervals and 1. */
function axisOf(all: Interval[]) {
  const low = Math.min(1, ...all.map(each => each.low))
  const high = Math.max(1, ...all.map(each => each.high))
  const [from, to] = [Math.log(low) - 0.04, Math.log(high) + 0.04]
  const room = Math.max(to - from, 0.2)
  const share = (value: number) => (100 * (Math.log(Math.max(value, 1e-12)) - from)) / room
  return {
    at: (value: number) => `${share(value)}%`,
    span: (each: Interval) => ({
      left: `${share(each.low)}%`,
      width: `${Math.max(share(each.high) - share(each.low), 0.4)}%`,
    }),
    ticks: ticksBetween(Math.exp(from), Math.exp(from + room)),
  }
}

/** Round numbers on the axis, at most five. */
export function ticksBetween(low: number, high: number): number[] {
  const found: number[] = []
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power += 1)
    for (const step of STEPS) {
      const value = Number((step * 10 ** power).toPrecision(2))
      if (value >= low && value <= high) found.push(value)
    }
  if (found.length <= 5) return found
  const tens = found.filter(
    value => [1, 2, 5].includes(Number(value.toExponential(0)[0])) && !/1\.5|15/.test(String(value)),
  )
  if (tens.length <= 5) return tens
  const powers = found.filter(value => Number.isInteger(Math.log10(value)))
  return powers.filter((_, place) => place % Math.ceil(powers.length / 5) === 0)
}
