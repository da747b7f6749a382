/** Templates for plans: the ready-made assessments of the service, with the default texts for candidates. */
import type { Schemas } from '@/api/client'

import type { AvailableItems } from './availableItems'
import { applyChange } from './changes'
import { type Choice, EMPTY, type Form, itemsOf, nameOf, type Section, type Settings } from './form'
import { DEFAULT_HONOUR_STATEMENT } from './honour'
import { toQuestion } from './questionFields'

export interface Template {
  name: string
  about: string
  /** Whether the time limit comes from the times of real candidates. */
  measured: boolean
  form: Form
}

export type ReadyMade = Schemas['ReadyMadeView']

/** The points of a question whose role names none. */
const QUESTION_POINTS = 10
const ALLOWED = 'The PyTorch, NumPy and Python documentation. Nothing else.'
const INSTRUCTIONS = `The time limit covers the whole assessment. The clock runs on the server and does not stop.

- Your work is saved every few seconds. If you reload the page or switch to another device, you continue where you were.
- In a challenge, run the samples as often as you like. You can submit several times, unless the challenge sets a limit, and your best answer counts. In a quiz, you cannot change an answer after you submit it.
- When the time is up, the code in each editor is submitted for you, if a submission is left for it. Your last saved texts are your answers.`
const SETTINGS: Partial<Settings> = {
  instructions: INSTRUCTIONS,
  allowed: ALLOWED,
  honour: DEFAULT_HONOUR_STATEMENT,
  recorded: ['devices', 'edits', 'focus', 'pastes'],
}

/** A template for each ready-made assessment. The empty template comes last. */
export function templatesFrom(ready: ReadyMade[], things: AvailableItems): Template[] {
  const made = ready.map(each => ({
    name: each.name,
    about: each.about,
    measured: each.measured > 0,
    form: formOf(each, things),
  }))
  const empty = applyChange({ ...EMPTY, ...SETTINGS }, { do: 'add section' })
  return [
    ...made.filter(each => each.form.sections.length > 0),
    {
      name: 'Empty',
      about: 'One empty section, with the default texts for candidates.',
      measured: false,
      form: empty,
    },
  ]
}

function formOf({ minutes, verdicts, sections }: ReadyMade, things: AvailableItems): Form {
  let form: Form = { ...EMPTY, ...SETTINGS, minutes, verdicts }
  for (const { title, minutes = null, draw = null, assistant, items } of sections) {
    const found = items
      .map(item => ({ ...item, choices: item.choices.flatMap(choice => available(choice, things)) }))
      .filter(({ choices }) => choices.length > 0)
    if (found.length > 0)
      form = withSection(
        form,
        { title, minutes, assistant, draw: draw !== null && draw < found.length ? draw : null },
        found,
      )
  }
  return form
}

type Rules = Pick<Section, 'title' | 'minutes' | 'draw' | 'assistant'>

interface Chosen {
  choice: Choice
  points: number
}

/** A choice as the builder adds it; none if the team does not have it. */
function available(
  { kind, name, follow_ups = [], question }: Schemas['Choice'],
  things: AvailableItems,
): Chosen[] {
  if (question) {
    const choice: Choice = { kind, name, variants: false, follow_ups: [], question: toQuestion(question) }
    return [{ choice, points: QUESTION_POINTS }]
  }
  const thing = things.get(nameOf({ kind, name }))
  return thing ? [{ choice: { ...thing.choice, follow_ups }, points: thing.points }] : []
}

interface ItemOfRole {
  choices: Chosen[]
  points: number | null
}

function withSection(form: Form, fields: Rules, items: ItemOfRole[]): Form {
  const grown = applyChange(form, { do: 'add section' })
  const section = grown.sections.at(-1)?.key ?? ''
  const named = applyChange(grown, { do: 'set section', section, fields })
  return items.reduce((form, item) => withItem(form, section, item), named)
}

/**
 * Adds an item that is worth as many points as the role says, or else as the first of its choices. A follow-up is worth half of
 * them.
 */
function withItem(form: Form, section: string, { choices, points }: ItemOfRole): Form {
  const [first, ...others] = choices
  if (!first) return form
  const worth = points ?? first.points
  const choice = aboutItem(first.choice, form)
  const grown = applyChange(form, { do: 'add item', section, choice, points: worth })
  const item = grown.sections.find(each => each.key === section)?.items.at(-1)?.key ?? ''
  const whole = others.reduce(
    (form, { choice }) => applyChange(form, { do: 'add choice', item, choice }),
    grown,
  )
  const followUps = choices.map(({ choice }) => choice.follow_ups)
  const each = followUps[0]?.map(() => Math.max(1, Math.round(worth / 2))) ?? []
  return each.length > 0 ? applyChange(whole, { do: 'set follow-ups', item, points: each, followUps }) : whole
}

/** A role names the challenge that a question is about, and a plan names the item. */
function aboutItem(choice: Choice, form: Form): Choice {
  const slug = choice.question?.about
  if (!choice.question || !slug) return choice
  const item = itemsOf(form).find(each => each.choices.some(one => one.name === slug))
  return { ...choice, question: { ...choice.question, about: item?.key ?? null } }
}
