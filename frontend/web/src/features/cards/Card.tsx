import { Anchor, Button, Kbd } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { useShortcuts } from '@/shared/hooks/useShortcuts'
import { Markdown } from '@/shared/markdown/Markdown'
import css from './Cards.module.css'
import { formatInterval } from './intervals'
import type { Grade } from './requests'

const GRADES: [Grade, string, string][] = [
  ['again', 'Again', 'var(--g-bad)'],
  ['hard', 'Hard', 'var(--g-medium)'],
  ['good', 'Good', 'var(--g-good)'],
  ['easy', 'Easy', 'var(--g-link)'],
]
const STAGES = { new: 'new', learning: 'learning', review: 'due' } as const
// Space on a focused button activates the button.
const NOT_FROM = ['INPUT', 'TEXTAREA', 'SELECT', 'BUTTON', 'A']

interface Props {
  card: Schemas['CardView']
  busy: boolean
  onGrade: (grade: Grade) => void
}

/** A card: its question, then its answer with four grades. Space and the keys 1 to 4 operate it. */
export function Card({ card, busy, onGrade }: Props) {
  const [open, setOpen] = useState(false)
  const front = useRef<HTMLDivElement>(null)
  const back = useRef<HTMLDivElement>(null)
  // The focus moves to the new content, for the keyboard and screen readers.
  useEffect(() => (open ? back : front).current?.focus({ preventScroll: !open }), [open])
  const grade = (place: number) => {
    const chosen = GRADES[place]
    if (open && !busy && chosen) onGrade(chosen[0])
  }
  useShortcuts([['space', () => setOpen(true)]], NOT_FROM)
  useShortcuts(GRADES.map((_, place) => [String(place + 1), () => grade(place)]))
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
              <small>{formatInterval(card.intervals[name])}</small>
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
