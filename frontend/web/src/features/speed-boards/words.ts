/** The sentences about measurements, so that every page uses the same words. */
import { formatCount, pluralize } from '@/shared/format/numbers'
import type { Interval, Measurement } from './requests'

export type Quantity = 'speed' | 'memory'

export const MEANING = 'The bar shows where the true value lies; entries whose bars overlap share a place.'

/** What the numbers of a board mean. */
export const LEAD: Record<Quantity, string> = {
  speed: 'A number says how many times as fast as the baseline an answer is',
  memory: 'A number says how many times less memory than the baseline an answer needs',
}

const UNIT: Record<Quantity, string> = {
  speed: 'times as fast as the baseline',
  memory: 'times less memory than the baseline',
}

export const ROLES = {
  baseline: 'Baseline',
  library: 'torch’s own',
  best: 'Best known answer',
}

/** At least two significant digits: 0.083, 0.95, 3.20, 12.4, 310. */
export function formatRatio(value: number): string {
  if (value >= 99.95) return formatCount(Math.round(value))
  if (value >= 9.995) return value.toFixed(1)
  if (value >= 0.0995) return value.toFixed(2)
  return value.toPrecision(2)
}

/** 3.2 → «3.20 times as fast as the baseline». */
export const formatSpeed = (ratio: number, quantity: Quantity) => `${formatRatio(ratio)} ${UNIT[quantity]}`

/** 3.2 → «is 3.20 times as fast as the baseline». */
export const describeSpeed = (ratio: number, quantity: Quantity) =>
  `${quantity === 'speed' ? 'is' : 'needs'} ${formatSpeed(ratio, quantity)}`

export const formatRange = ({ low, high }: Interval) => `${formatRatio(low)} to ${formatRatio(high)}`

/** The half-width of an interval around 1: 0.034 → «±3.4%». */
export const formatWidth = (width: number) => `±${(100 * width).toFixed(width < 0.0995 ? 1 : 0)}%`

const SMALL: [number, string][] = [
  [1, 's'],
  [1e-3, 'ms'],
  [1e-6, 'µs'],
  [1e-9, 'ns'],
]

/** The cost of a call: seconds with a fitting unit, or MiB. */
export function formatCost(value: number, quantity: Quantity): string {
  if (quantity === 'memory') return `${value >= 100 ? Math.round(value) : Number(value.toPrecision(2))} MiB`
  const [unit, name] = SMALL.find(([size]) => value >= size) ?? [1e-9, 'ns']
  return `${Number((value / unit).toPrecision(3))} ${name}`
}

/** The state of a measurement in a few words. */
export const STATES: Record<Measurement['state'], string> = {
  waiting: 'Waiting to be measured',
  running: 'Measuring',
  confirming: 'Being confirmed',
  ranked: 'Ranked',
  beaten: 'Measured',
  not_ranked: 'Not ranked',
  flagged: 'In review',
  withdrawn: 'Withdrawn',
  failed: 'Failed',
  fault: 'Could not be measured',
  cancelled: 'Not measured',
}

/** What the state of a measurement means for its owner, as one or two sentences. */
export function explainState(found: Measurement): string {
  switch (found.state) {
    case 'waiting':
      return found.position && found.position > 1
        ? `It starts after ${pluralize(found.position - 1, 'other measurement')}.`
        : 'It starts as soon as the node has time.'
    case 'running':
      return runningText(found)
    case 'confirming':
      return `It is among the first places, so it is measured again with other inputs before it gets its place.${
        found.pairs > 0 ? ` ${runningText(found)}` : ''
      }`
    case 'beaten':
      return 'Another answer of yours is at least as good, and is your entry.'
    case 'flagged':
      return 'The result is unusual, so a moderator looks at it before it is ranked. You need not do anything.'
    case 'withdrawn':
      return `A moderator has removed it: ${found.reason}`
    case 'failed':
      return `Your answer failed while it was measured: ${found.reason}`
    case 'fault':
      return 'The grader failed, not your answer. Submit it again to have it measured.'
    default:
      return found.reason
  }
}

function runningText({ pairs, half_width }: Measurement): string {
  if (pairs === 0) return 'The first runs are under way.'
  const width = half_width === null ? '' : `, ${formatWidth(half_width)} so far`
  return `${pluralize(pairs, 'pair')} of runs${width}.`
}
