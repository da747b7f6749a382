import { Anchor, Button, Kbd } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Grade } from '../api/cards'
import type { Schemas } from '../api/client'
import { Markdown } from '../parts/Markdown'
import css from './Cards.module.css'
import { span } from './time'

const GRADES: [Grade, string, string][] = [
  ['again', 'Again', 'var(--g-bad)'],
  ['hard', 'Hard', 'var(--g-medium)'],
  ['good', 'Good', 'var(--g-good)'],
  ['easy', 'Easy', 'var(--g-link)'],
]
const STAGES = { new: 'new', learning: 'being learnt', review: 'to be revised' } as const
// Space on a button presses that button.
const NOT_FROM = ['INPUT', 'TEXTAREA', 'SELECT', 'BUTTON', 'A']

interface Props {
  card: Schemas['CardView']
  busy: boolean
  onGrade: (grade: Grade) => void
}

/** A card: its question, then its answer with four grades. Space and the keys 1 to 4 do it all. */
export function Card({ card, busy, onGrade }: Props) {
  const [open, setOpen] = useState(false)
  const front = useRef<HTMLDivElement>(null)
  const back = useRef<HTMLDivElement>(null)
  // What is new is where the keyboard and a screen reader are.
  useEffect(() => (open ? back : front).current?.focus({ preventScroll: !open }), [open])
  const grade = (place: number) => {
    const chosen = GRADES[place]
    if (open && !busy && chosen) onGrade(chosen[0])
  }
  useHotkeys([['space', () => setOpen(true)]], NOT_FROM)
  useHotkeys(GRADES.map((_, place) => [String(place + 1), () => grade(place)]))
  return (
    <>
      <article className={css.card} aria-label="Card">
        <div className={css.about}>
          <span>{card.section}</span>
          <span>{STAGES[card.stage]}</span>
        </div>
        <div ref={front} tabIndex={-1} className={css.front}>
          <Markdown source={card.front} />
        </div>
        {open && (
          <div ref={back} tabIndex={-1} className={css.back}>
            <Markdown source={card.back} />
            <Anchor component={Link} to={`/topics/${card.topic}`} size="sm">
              {card.topic_title}
            </Anchor>
          </div>
        )}
      </article>
      <div className={css.grades}>
        {open ? (
          GRADES.map(([name, label, edge], place) => (
            <button
              key={name}
              type="button"
              className={css.grade}
              style={{ '--edge': edge } as React.CSSProperties}
              disabled={busy}
              aria-keyshortcuts={String(place + 1)}
              onClick={() => grade(place)}
            >
              {label}
              <small>{span(card.intervals[name])}</small>
            </button>
          ))
        ) : (
          <Button className={css.show} onClick={() => setOpen(true)} aria-keyshortcuts="Space">
            Show the answer&nbsp;&nbsp;
            <Kbd size="xs" visibleFrom="sm">
              Space
            </Kbd>
          </Button>
        )}
      </div>
    </>
  )
}
