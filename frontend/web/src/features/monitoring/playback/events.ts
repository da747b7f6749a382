/** What happened while an item was written, besides the edits: recorded signals, verdicts, and questions to the assistant. */
import type { Noticed } from '@/features/playback'
import { pluralize } from '@/shared/format/numbers'
import { VERDICTS } from '@/shared/verdicts'
import { describePaste } from '../labels'
import type { Item, Message, Signal } from '../requests'
import { type Card, submissionsOfItem } from '../review/submissions'

/** `kind` decides the colour of the mark, and `name` says what happened. */
export interface PlaybackEvent extends Noticed {
  id: string
  name: string
}

const SIGNALS: Partial<Record<Signal['kind'], (signal: Signal) => string>> = {
  paste: signal => `A paste of ${describePaste(signal)}`,
  blur: () => 'Left the page',
  device: () => 'Another device',
  practice: () => 'Tried to open this item elsewhere',
}

export function eventsOf(
  item: Pick<Item, 'position' | 'name'>,
  signals: Signal[],
  cards: Card[],
  messages: Message[],
): PlaybackEvent[] {
  return [
    ...signals.flatMap(each => {
      const name = each.position === item.position && SIGNALS[each.kind]?.(each)
      return name ? [{ ...each, name }] : []
    }),
    ...submissionsOfItem(item, cards).flatMap(({ id, kind, created_at, verdict }) =>
      verdict
        ? [
            {
              id,
              kind: verdict === 'AC' ? 'accepted' : 'rejected',
              at: created_at,
              size: 0,
              name: named(kind, verdict),
            },
          ]
        : [],
    ),
    ...messages.map(({ id, asked_at, question, reply }) => ({
      id,
      kind: 'assistant',
      at: asked_at,
      size: 0,
      name: `Asked the assistant (${pluralize(question.length, 'character')}, reply ${reply.length.toLocaleString()})`,
    })),
  ]
}

const named = (kind: Card['kind'], verdict: keyof typeof VERDICTS) =>
  `${kind === 'run' ? 'Ran the samples' : 'Submitted'}: ${VERDICTS[verdict].name}`
