/** The selected part of the catalogue. It is part of the URL; the last one is remembered for Previous and Next. */
import type { Schemas } from '@/api/client'

type Challenge = Schemas['ChallengeCard']
type Topic = Schemas['TopicCard']
/** The wanted value of each filter; '' for any. */
export type Selection = (name: string) => string

export const LEVELS = ['easy', 'medium', 'hard']
export const FORMS = [
  { value: 'write', label: 'Write code' },
  { value: 'fix', label: 'Find and fix' },
  { value: 'predict', label: 'Predict the output' },
  { value: 'quiz', label: 'Quiz' },
]
export const MINUTES = [
  { value: '10', label: 'Up to 10' },
  { value: '20', label: 'Up to 20' },
  { value: '30', label: 'Up to 30' },
  { value: 'more', label: 'Over 30' },
]
export const SCORED = [
  { value: 'speed', label: 'For speed' },
  { value: 'memory', label: 'For memory' },
]
const LONG = 30
export const SORTS = [
  { value: 'level', label: 'Easiest first' },
  { value: 'minutes', label: 'Shortest first' },
  { value: 'points', label: 'Most points first' },
  { value: 'title', label: 'By title' },
]
export const FILTERS = [
  'q',
  'section',
  'difficulty',
  'form',
  'application',
  'minutes',
  'device',
  'scored',
  'tag',
  'status',
  'sort',
]

const STATUSES = ['new', 'tried', 'solved', 'bookmarked']
const named = (options: { value: string }[]) => options.map(each => each.value)

/** The filters of an address whose values do not exist, such as those of an old or mistyped link. */
export function unknownFilters(wanted: Selection, challenges: Challenge[], topics: Topic[]): string[] {
  const known: Record<string, string[]> = {
    section: [...challenges, ...topics].map(each => each.section),
    difficulty: LEVELS,
    form: named(FORMS),
    application: challenges.flatMap(each => each.application),
    minutes: named(MINUTES),
    device: challenges.flatMap(each => each.devices),
    scored: named(SCORED),
    tag: challenges.flatMap(each => each.topics),
    status: STATUSES,
    sort: named(SORTS),
  }
  return Object.keys(known).filter(name => wanted(name) && !known[name]?.includes(wanted(name)))
}

/** Whether the selection includes quiz questions, which belong to topics. */
export const hasQuestions = (wanted: Selection) => wanted('form') === 'quiz' || wanted('form') === 'predict'

export function filterChallenges(all: Challenge[], wanted: Selection): Challenge[] {
  const found = all.filter(
    each =>
      fits(wanted, each, [each.title, each.summary, each.slug, ...each.topics]) &&
      (!wanted('form') || each.form === wanted('form')) &&
      (!wanted('tag') || each.topics.includes(wanted('tag'))) &&
      (!wanted('application') || each.application.includes(wanted('application'))) &&
      (!wanted('device') || each.devices.includes(wanted('device'))) &&
      (!wanted('scored') || each.scored?.quantity === wanted('scored')) &&
      inTime(wanted('minutes'), each.minutes),
  )
  return sorted(found, wanted('sort'))
}

export function filterTopics(all: Topic[], wanted: Selection): Topic[] {
  const found = all.filter(
    each =>
      fits(wanted, each, [each.title, each.purpose, each.id]) &&
      (!hasQuestions(wanted) || each.forms.some(form => form === wanted('form'))),
  )
  return wanted('sort') === 'title' || wanted('sort') === 'level' ? sorted(found, wanted('sort')) : found
}

interface Item {
  title: string
  difficulty: string
  minutes?: number
  points?: number
}

/** Sorts stably: equal items keep the order of the catalogue. */
function sorted<T extends Item>(items: T[], by: string): T[] {
  if (by === 'title') return items.toSorted((a, b) => a.title.localeCompare(b.title))
  if (by === 'minutes') return items.toSorted((a, b) => (a.minutes ?? 0) - (b.minutes ?? 0))
  if (by === 'points') return items.toSorted((a, b) => (b.points ?? 0) - (a.points ?? 0))
  if (by === 'level')
    return items.toSorted((a, b) => LEVELS.indexOf(a.difficulty) - LEVELS.indexOf(b.difficulty))
  return items
}

function inTime(wanted: string, minutes: number): boolean {
  if (!wanted) return true
  return wanted === 'more' ? minutes > LONG : minutes <= Number(wanted)
}

function fits(wanted: Selection, item: { section: string; difficulty: string }, texts: string[]): boolean {
  const words = wanted('q').toLowerCase().split(/\s+/)
  const text = texts.join(' ').toLowerCase()
  return (
    (!wanted('section') || item.section === wanted('section')) &&
    (!wanted('difficulty') || item.difficulty === wanted('difficulty')) &&
    words.every(word => text.includes(word))
  )
}

const KEPT = 'selection'

/** Remembers the selection for this tab. */
export function rememberSelection(search: string) {
  sessionStorage.setItem(KEPT, search)
}

export function lastSelection(): URLSearchParams {
  return new URLSearchParams(sessionStorage.getItem(KEPT) ?? '')
}
