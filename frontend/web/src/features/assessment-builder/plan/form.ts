/** A plan while it is edited: every field is set, and every section and item has a stable key. */
import type { Schemas } from '@/api/client'
import { toQuestion } from './questionFields'

export type Plan = Schemas['Plan']
export type Choice = Required<Schemas['Choice']>
export type Item = Omit<Required<Schemas['ItemPlan']>, 'choices'> & { choices: Choice[] }
export type Section = Omit<Required<Schemas['SectionPlan']>, 'items'> & { items: Item[] }
export type Recorded = Plan['recorded'][number]
export type Settings = Omit<Required<Plan>, 'sections'>
export type Form = Settings & { sections: Section[] }

/** Limits that the service enforces. */
export const LIMITS = { sections: 12, items: 40, choices: 10, points: 1000, minutes: 1440, days: 3650 }

export const EMPTY: Form = {
  instructions: '',
  honour: '',
  allowed: '',
  minutes: 60,
  opens_at: null,
  closes_at: null,
  attempts: 1,
  verdicts: 'after',
  practice: null,
  recorded: [],
  retention_days: 180,
  sections: [],
}

/**
 * Converts a plan of the service to a form. All fields are set in the order of `EMPTY`, so that equal forms serialize equally.
 */
export function toForm(plan: Plan): Form {
  const sections = plan.sections.map(
    ({ key, title, minutes = null, draw = null, assistant = 'none', items }) => ({
      key,
      title,
      minutes,
      draw,
      assistant,
      items: items.map(
        ({
          key,
          points,
          follow_up_points = [],
          feedback = 'everything',
          submissions = null,
          pause_s = null,
          choices,
        }) => ({
          key,
          points,
          follow_up_points,
          feedback,
          submissions,
          pause_s,
          choices: choices.map(({ kind, name, variants = false, follow_ups = [], question }) => ({
            kind,
            name,
            variants,
            follow_ups,
            question: question ? toQuestion(question) : null,
          })),
        }),
      ),
    }),
  )
  const { opens_at = null, closes_at = null, practice = null } = plan
  const settings = Object.keys(EMPTY).map(name => [name, plan[name as keyof Plan]])
  return { ...Object.fromEntries(settings), opens_at, closes_at, practice, sections }
}

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export const itemsOf = (form: Form): Item[] => form.sections.flatMap(section => section.items)

/** The title of a choice; its name if it is no longer in the catalogue. */
export const choiceTitle = (
  { kind, name, question }: Choice,
  things: ReadonlyMap<string, { title: string }> | null,
): string => question?.title ?? things?.get(`${kind}:${name}`)?.title ?? name

export const nameOf = (choice: Pick<Choice, 'kind' | 'name'>): string => `${choice.kind}:${choice.name}`

/** A key based on `wanted` that is not yet taken. */
export function nextKey(wanted: string, taken: string[]): string {
  const start =
    wanted
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 36) || 'part'
  let key = start
  for (let number = 2; taken.includes(key); number++) key = `${start}-${number}`
  return key
}
