import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Link, useParams } from 'react-router'
import { AssessmentClock } from './AssessmentClock'
import { CandidateFrame } from './CandidateFrame'
import { useSecondsLeft } from './clock'
import { FinishDialog } from './FinishDialog'
import { Item } from './items/Item'
import { ItemSteps } from './items/ItemSteps'
import { itemsOf, sectionOf } from './items/itemStates'
import { Overview } from './Overview'
import css from './Participation.module.css'
import type { Participation } from './requests'
import { type Autosaves, useAutosaves, useSavedState } from './saving/useAutosaves'

const CLOSING_MS = 1000

interface Props {
  found: Participation
  onNews: () => void
}

/** The assessment while its time runs: the clock on top, and the list of items or one of them below. */
export function RunningAssessment({ found, onNews }: Props) {
  const { position } = useParams()
  const [finishing, setFinishing] = useState(false)
  const keepers = useAutosaves(found, onNews)
  const over = useOver(found.deadline, onNews)
  const shown = itemsOf(found).find(each => String(each.position) === position)
  const section = shown && sectionOf(found, shown.position)
  const own =
    section?.minutes && section.opened_at && section.deadline !== found.deadline ? section : undefined
  return (
    <CandidateFrame
      name={<Link to="/participation">{found.assessment}</Link>}
      tools={
        <>
          <SavedNote keepers={keepers} />
          {own && <AssessmentClock deadline={own.deadline} section={own.title} onJump={onNews} />}
          <AssessmentClock deadline={found.deadline} onJump={onNews} />
          <Button size="xs" variant="default" disabled={over} onClick={() => setFinishing(true)}>
            Finish
          </Button>
        </>
      }
    >
      {shown ? (
        <div className={css.work}>
          <ItemSteps found={found} present={shown.position} />
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
      {finishing && <FinishDialog found={found} keepers={keepers} onClose={() => setFinishing(false)} />}
    </CandidateFrame>
  )
}

/** Once the clock reaches zero, polls the service until it confirms the new state. */
function useOver(deadline: string, onNews: () => void): boolean {
  const over = useSecondsLeft(deadline) === 0
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
  offline: 'saved in this browser',
  refused: 'not saved',
} as const

function SavedNote({ keepers }: { keepers: Autosaves }) {
  const state = useSavedState(keepers)
  return (
    <span role="status" className={css.saved} data-state={state}>
      {WORDS[state]}
    </span>
  )
}
