/** Templates for plans, built from items of the catalogue. */

import type { AvailableItem, AvailableItems } from './availableItems'
import { applyChange } from './changes'
import { EMPTY, type Form, type Settings } from './form'
import { DEFAULT_HONOUR_STATEMENT } from './honour'

export interface Template {
  name: string
  about: string
  form: Form
}

interface Recipe {
  name: string
  about: string
  minutes: number
  sections: { title: string; draw?: number; items: string[][] }[]
}

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

const RECIPES: Recipe[] = [
  {
    name: 'PyTorch basics',
    about:
      'Tensor shapes and a bug to fix. For a first screening, or for a role that uses models rather than builds them.',
    minutes: 30,
    sections: [
      { title: 'Tensors', items: [['challenge:broadcast-shape', 'challenge:checkerboard-and-friends']] },
      {
        title: 'Find and fix',
        draw: 1,
        items: [
          ['challenge:four-broken-steps'],
          ['challenge:lost-layers'],
          ['challenge:classifier-with-negative-loss'],
        ],
      },
    ],
  },
  {
    name: 'Research engineer',
    about: 'Questions about attention, an attention mechanism to write, and a training step to get right.',
    minutes: 75,
    sections: [
      { title: 'Questions', items: [['quiz:attention-from-scratch', 'quiz:multi-head-attention']] },
      {
        title: 'Architectures',
        items: [
          [
            'challenge:scaled-dot-product-attention',
            'challenge:grouped-query-attention',
            'challenge:kv-cache',
          ],
        ],
      },
      {
        title: 'Training',
        draw: 1,
        items: [['challenge:warmup-cosine'], ['challenge:two-weight-decays'], ['challenge:momentum-sgd']],
      },
    ],
  },
  {
    name: 'Production and debugging',
    about: 'Code that runs but is wrong: leaks, stale shards, models that give a different answer each time.',
    minutes: 60,
    sections: [
      {
        title: 'Find and fix',
        draw: 2,
        items: [
          ['challenge:stale-shards'],
          ['challenge:frozen-for-serving'],
          ['challenge:augmented-validation'],
          ['challenge:early-stopping-repair'],
        ],
      },
      { title: 'Performance', items: [['challenge:amp-step', 'challenge:clip-global-norm']] },
    ],
  },
]

/**
 * Templates reduced to the items that this catalogue has; those left without items are dropped. The empty template comes last.
 */
export function templatesFrom(things: AvailableItems): Template[] {
  const made = RECIPES.map(({ name, about, ...recipe }) => ({ name, about, form: formOf(recipe, things) }))
  const empty = applyChange({ ...EMPTY, ...SETTINGS }, { do: 'add section' })
  return [
    ...made.filter(each => each.form.sections.length > 0),
    {
      name: 'Empty',
      about: 'One empty section, with the default texts for candidates.',
      form: empty,
    },
  ]
}

function formOf({ minutes, sections }: Pick<Recipe, 'minutes' | 'sections'>, things: AvailableItems): Form {
  let form: Form = { ...EMPTY, ...SETTINGS, minutes }
  for (const { title, draw = null, items } of sections) {
    const found = items
      .map(names => names.flatMap(name => things.get(name) ?? []))
      .filter(choices => choices.length > 0)
    if (found.length > 0)
      form = withSection(form, title, draw !== null && draw < found.length ? draw : null, found)
  }
  return form
}

function withSection(form: Form, title: string, draw: number | null, items: AvailableItem[][]): Form {
  const grown = applyChange(form, { do: 'add section' })
  const section = grown.sections.at(-1)?.key ?? ''
  const named = applyChange(grown, { do: 'set section', section, fields: { title, draw } })
  return items.reduce((form, things) => withItem(form, section, things), named)
}

/** Adds an item that is worth as many points as the first of its choices. */
function withItem(form: Form, section: string, [first, ...others]: AvailableItem[]): Form {
  if (!first) return form
  const grown = applyChange(form, { do: 'add item', section, choice: first.choice, points: first.points })
  const item = grown.sections.find(each => each.key === section)?.items.at(-1)?.key ?? ''
  return others.reduce((form, { choice }) => applyChange(form, { do: 'add choice', item, choice }), grown)
}
