/** Which part of the catalogue somebody looks at. It lives in the address; the last one is remembered for Previous and Next. */
import type { Schemas } from '../api/client'

type Challenge = Schemas['ChallengeCard']
type Topic = Schemas['TopicCard']
/** What is wanted of each filter; '' for any. */
export type Wanted = (name: string) => string

export const LEVELS = ['easy', 'medium', 'hard']
export const FORMS = [
  { value: 'write', label: 'write it' },
  { value: 'fix', label: 'find and fix' },
  { value: 'predict', label: 'predict the output' },
  { value: 'quiz', label: 'quiz' },
]
export const MINUTES = [
  { value: '10', label: 'up to 10' },
  { value: '20', label: 'up to 20' },
  { value: '30', label: 'up to 30' },
  { value: 'more', label: 'over 30' },
]
const LONG = 30
export const SORTS = [
  { value: 'level', label: 'easiest first' },
  { value: 'minutes', label: 'shortest first' },
  { value: 'points', label: 'most points first' },
  { value: 'title', label: 'by title' },
]
export const FILTERS = [
  'q',
  'section',
  'difficulty',
  'form',
  'application',
  'minutes',
  'device',
  'tag',
  'status',
  'sort',
]

/** Whether what is wanted is answered with questions, which belong to topics. */
export const asksQuestions = (wanted: Wanted) => wanted('form') === 'quiz' || wanted('form') === 'predict'

export function chosenChallenges(all: Challenge[], wanted: Wanted): Challenge[] {
  const found = all.filter(
    each =>
      fits(wanted, each, [each.title, each.summary, each.slug, ...each.topics]) &&
      (!wanted('form') || each.form === wanted('form')) &&
      (!wanted('tag') || each.topics.includes(wanted('tag'))) &&
      (!wanted('application') || each.application.includes(wanted('application'))) &&
      (!wanted('device') || each.devices.includes(wanted('device'))) &&
      inTime(wanted('minutes'), each.minutes),
  )
  return sorted(found, wanted('sort'))
}

export function chosenTopics(all: Topic[], wanted: Wanted): Topic[] {
  const found = all.filter(
    each =>
      fits(wanted, each, [each.title, each.purpose, each.id]) &&
      (!asksQuestions(wanted) || each.forms.some(form => form === wanted('form'))),
  )
  return wanted('sort') === 'title' || wanted('sort') === 'level' ? sorted(found, wanted('sort')) : found
}

interface Item {
  title: string
  difficulty: string
  minutes?: number
  points?: number
}

/** The order of the catalogue stays where two are equal. */
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

function fits(wanted: Wanted, item: { section: string; difficulty: string }, texts: string[]): boolean {
  const words = wanted('q').toLowerCase().split(/\s+/)
  const text = texts.join(' ').toLowerCase()
  return (
    (!wanted('section') || item.section === wanted('section')) &&
    (!wanted('difficulty') || item.difficulty === wanted('difficulty')) &&
    words.every(word => text.includes(word))
  )
}

const KEPT = 'selection'

/** Remembers the selection of this tab. */
export function remember(search: string) {
  sessionStorage.setItem(KEPT, search)
}

export function remembered(): URLSearchParams {
  return new URLSearchParams(sessionStorage.getItem(KEPT) ?? '')
}
