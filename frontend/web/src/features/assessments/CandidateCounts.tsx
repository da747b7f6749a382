import type { Schemas } from '@/api/client'
import css from './Assessments.module.css'

/** How many candidates of an assessment were invited, are working, have finished, and wait for a decision. */
export function CandidateCounts({ counts }: { counts: Schemas['CandidateCounts'] }) {
  const { invited, running, finished, undecided } = counts
  if (invited === 0) return <span className={css.soft}>No one invited yet</span>
  const parts = [
    `${invited} invited`,
    running > 0 && `${running} in progress`,
    `${finished} finished`,
    undecided > 0 && `${undecided} without a decision`,
  ]
  return (
    <ul className={css.counts} aria-label="Candidates">
      {parts
        .filter(each => each !== false)
        .map(each => (
          <li key={each} data-open={each.endsWith('decision') || undefined}>
            {each}
          </li>
        ))}
    </ul>
  )
}
