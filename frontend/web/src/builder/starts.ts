/** Points to start from: plans made of what the catalogue has. */
import { changed } from './changes'
import { EMPTY, type Form, type Settings } from './form'
import type { Thing, Things } from './things'

export interface Start {
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

export const HONOUR =
  'I work alone, without help from other people and without programs that write code for me. I use only what is allowed above. I will not pass on what I am asked here.'
const ALLOWED = 'The documentation of PyTorch, NumPy and Python. Nothing else.'
const INSTRUCTIONS = `You have one stretch of time for everything; the clock runs on the server and does not stop.

- Your work is kept every few seconds. After a reload, or on another device, you go on where you were.
- Run the samples as often as you like. What you submit last counts.
- At the end, whatever is written by then is submitted for you.`
const SETTINGS: Partial<Settings> = {
  instructions: INSTRUCTIONS,
  allowed: ALLOWED,
  honour: HONOUR,
  recorded: ['devices', 'edits', 'focus', 'pastes'],
}

const RECIPES: Recipe[] = [
  {
    name: 'PyTorch basics',
    about: 'Shapes and a repair, for a first look or for a role that uses models rather than makes them.',
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
    about: 'Questions about attention, attention written out, and a training step that must be right.',
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
    about: 'Code that runs and is wrong: leaks, stale shards, models that answer differently each time.',
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

/** Each with what is left of it in this catalogue, unless nothing is; an empty one last. */
export function startsOf(things: Things): Start[] {
  const made = RECIPES.map(({ name, about, ...recipe }) => ({ name, about, form: formOf(recipe, things) }))
  const empty = changed({ ...EMPTY, ...SETTINGS }, { do: 'add section' })
  return [
    ...made.filter(each => each.form.sections.length > 0),
    {
      name: 'Empty',
      about: 'One section with nothing in it, and the usual words to candidates.',
      form: empty,
    },
  ]
}

function formOf({ minutes, sections }: Pick<Recipe, 'minutes' | 'sections'>, things: Things): Form {
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

function withSection(form: Form, title: string, draw: number | null, items: Thing[][]): Form {
  const grown = changed(form, { do: 'add section' })
  const section = grown.sections.at(-1)?.key ?? ''
  const named = changed(grown, { do: 'set section', section, fields: { title, draw } })
  return items.reduce((form, things) => withItem(form, section, things), named)
}

/** An item worth as much as the first of its choices. */
function withItem(form: Form, section: string, [first, ...others]: Thing[]): Form {
  if (!first) return form
  const grown = changed(form, { do: 'add item', section, choice: first.choice, points: first.points })
  const item = grown.sections.find(each => each.key === section)?.items.at(-1)?.key ?? ''
  return others.reduce((form, { choice }) => changed(form, { do: 'add choice', item, choice }), grown)
}
