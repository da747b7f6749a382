import { Button, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { formatPoints } from '@/shared/format/numbers'
import { type Person, type Review, useScore } from '../requests'
import css from './CandidateReport.module.css'
import { RubricForm } from './RubricForm'

type Criterion = Review['criteria'][number]

/** The rubric: the user's score for each criterion, and the scores of others. */
export function Rubric({ of, review }: { of: Person; review: Review }) {
  const [editing, setEditing] = useState(false)
  return (
    <>
      {review.criteria.length === 0 && (
        <Text size="sm" c="dimmed">
          No criteria yet. Add what your team assesses besides the tests, for example clarity, testing or
          explanations.
        </Text>
      )}
      {review.criteria.map(criterion => (
        <One key={criterion.id} of={of} criterion={criterion} />
      ))}
      <Button size="compact-sm" variant="subtle" mt="xs" onClick={() => setEditing(true)}>
        {review.criteria.length ? 'Edit rubric' : 'Create rubric'}
      </Button>
      {editing && <RubricForm at={of} onClose={() => setEditing(false)} />}
    </>
  )
}

function One({ of, criterion }: { of: Person; criterion: Criterion }) {
  const score = useScore(of)
  const { scores, levels } = criterion
  const own = scores.find(each => each.yours)
  const shares = scores.map(each => each.level / each.levels)
  const mean = shares.reduce((sum, each) => sum + each, 0) / shares.length
  return (
    <div className={css.criterion}>
      <div className={css.line}>
        <b>{criterion.title}</b>
        {scores.length > 0 && (
          <span className={css.soft}>
            {formatPoints(mean * levels)} of {levels} on average
          </span>
        )}
      </div>
      {criterion.description && <p className={css.soft}>{criterion.description}</p>}
      {criterion.retired ? (
        <p className={css.soft}>No longer in the rubric.</p>
      ) : (
        <SegmentedControl
          fullWidth
          size="xs"
          className={css.levels}
          aria-label={`Your score for ${criterion.title}`}
          value={own ? String(own.level) : ''}
          data={[
            { value: '', label: '–' },
            ...Array.from({ length: levels + 1 }, (_, level) => String(level)),
          ]}
          onChange={value => score.mutate({ criterion: criterion.id, level: value ? Number(value) : null })}
        />
      )}
      {score.error && (
        <Text size="sm" c="var(--g-bad)" role="alert">
          {score.error.message}
        </Text>
      )}
      {scores.map((each, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several former members have no name
        <span key={place} className={css.given}>
          {each.yours ? 'You' : (each.reviewer ?? 'A former member')}: {each.level} of {each.levels}
        </span>
      ))}
    </div>
  )
}
