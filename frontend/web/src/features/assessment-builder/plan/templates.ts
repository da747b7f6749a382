/** Templates for plans: the ready-made assessments of the service, with the default texts for candidates. */
import type { Schemas } from '@/api/client'

import type { AvailableItem, AvailableItems } from './availableItems'
import { applyChange } from './changes'
import { EMPTY, type Form, nameOf, type Section, type Settings } from './form'
import { DEFAULT_HONOUR_STATEMENT } from './honour'

export interface Template {
  name: string
  about: string
  /** Whether the time limit comes from the times of real candidates. */
  measured: boolean
  form: Form
}

export type ReadyMade = Schemas['ReadyMadeView']

const ALLOWED = 'The PyTorch, NumPy and Python documentation. Nothing else.'
const INSTRUCTIONS = `The time limit covers the whole assessment. The clock runs on the server and does not stop.

- Your work is saved every few seconds. If you reload the page or switch to another device, you continue where you were.
- In a challenge, run the samples and submit as often as you like. Your best answer counts. In a quiz, you cannot change an answer after you submit it.
- When the time is up, everything you have written is submitted for you.`
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
      .map(item => item.choices.flatMap(choice => things.get(nameOf(choice)) ?? []))
      .filter(choices => choices.length > 0)
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

function withSection(form: Form, fields: Rules, items: AvailableItem[][]): Form {
  const grown = applyChange(form, { do: 'add section' })
  const section = grown.sections.at(-1)?.key ?? ''
  const named = applyChange(grown, { do: 'set section', section, fields })
  return items.reduce((form, things) => withItem(form, section, things), named)
}

/** Adds an item that is worth as many points as the first of its choices. */
function withItem(form: Form, section: string, [first, ...others]: AvailableItem[]): Form {
  if (!first) return form
  const grown = applyChange(form, { do: 'add item', section, choice: first.choice, points: first.points })
  const item = grown.sections.find(each => each.key === section)?.items.at(-1)?.key ?? ''
  return others.reduce((form, { choice }) => applyChange(form, { do: 'add choice', item, choice }), grown)
}
