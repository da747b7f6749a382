import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Participation } from '../api/taking'
import { Clock } from './Clock'
import { Finish } from './Finish'
import { Item } from './Item'
import { type Keepers, useKeepers, useSaved } from './keepers'
import { Overview } from './Overview'
import { Quiet } from './Quiet'
import { Steps } from './Steps'
import { itemsOf, sectionOf } from './states'
import css from './Taking.module.css'
import { useLeft } from './time'

const CLOSING_MS = 1000

interface Props {
  found: Participation
  onNews: () => void
}

/** The assessment while its time runs: the clock above, the list of items or one of them below. */
export function AtWork({ found, onNews }: Props) {
  const { position } = useParams()
  const [finishing, setFinishing] = useState(false)
  const keepers = useKeepers(found, onNews)
  const over = useOver(found.deadline, onNews)
  const shown = itemsOf(found).find(each => String(each.position) === position)
  const section = shown && sectionOf(found, shown.position)
  const own =
    section?.minutes && section.opened_at && section.deadline !== found.deadline ? section : undefined
  return (
    <Quiet
      name={<Link to="/participation">{found.assessment}</Link>}
      tools={
        <>
          <SavedNote keepers={keepers} />
          {own && <Clock deadline={own.deadline} section={own.title} onJump={onNews} />}
          <Clock deadline={found.deadline} onJump={onNews} />
          <Button size="xs" variant="default" disabled={over} onClick={() => setFinishing(true)}>
            Finish
          </Button>
        </>
      }
    >
      {shown ? (
        <div className={css.work}>
          <Steps found={found} present={shown.position} />
          <Item
            key={shown.position}
            found={found}
            card={shown}
            keepers={keepers}
            over={over}
            onNews={onNews}
          />
        </div>
      ) : (
        <Overview found={found} />
      )}
      {finishing && <Finish found={found} keepers={keepers} onClose={() => setFinishing(false)} />}
    </Quiet>
  )
}

/** Once the clock stands at nothing, the service is asked until it says what became of it. */
function useOver(deadline: string, onNews: () => void): boolean {
  const over = useLeft(deadline) === 0
  useEffect(() => {
    if (!over) return
    const timer = setInterval(onNews, CLOSING_MS)
    return () => clearInterval(timer)
  }, [over, onNews])
  return over
}

const WORDS = {
  saved: 'saved',
  saving: 'saving',
  offline: 'kept in this browser',
  refused: 'not saved',
} as const

function SavedNote({ keepers }: { keepers: Keepers }) {
  const state = useSaved(keepers)
  return (
    <span role="status" className={css.saved} data-state={state}>
      {WORDS[state]}
    </span>
  )
}
