import { expect, test } from 'vitest'
import type { Message, Signal } from '../requests'
import type { Card } from '../review/submissions'
import { eventsOf } from './events'

const item = { position: 1, name: 'attention' }
const signal = (kind: Signal['kind'], position = 1): Signal => ({
  id: `${kind}-${position}`,
  position,
  kind,
  at: '2026-05-04T09:00:00Z',
  size: 40,
  detail: '',
})
const card = (kind: Card['kind'], verdict: Card['verdict'], slug = 'attention') =>
  ({ id: `${kind}-${verdict}`, kind, verdict, slug, created_at: '2026-05-04T09:01:00Z' }) as Card
const message = { id: 'm', asked_at: '2026-05-04T09:02:00Z', question: 'Why?', reply: 'So.' } as Message

test('signals, verdicts and questions of the item are named, and nothing else', () => {
  const signals = [signal('paste'), signal('focus'), signal('blur', 2)]
  const cards = [card('run', 'WA'), card('submit', 'AC'), card('submit', null), card('submit', 'WA', 'other')]
  expect(eventsOf(item, signals, cards, [message]).map(({ kind, name }) => [kind, name])).toEqual([
    ['paste', 'A paste of 40 characters'],
    ['rejected', 'Ran the samples: Wrong answer'],
    ['accepted', 'Submitted: Accepted'],
    ['assistant', 'Asked the assistant (4 characters, reply 3)'],
  ])
})
