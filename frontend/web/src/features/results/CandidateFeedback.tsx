import { Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import { pluralize } from '@/shared/format/numbers'
import css from './Results.module.css'
import type { Where } from './requests'

const feedback = ({ teamId, assessmentId }: Where) =>
  queryOptions({
    queryKey: ['team', teamId, 'assessment', assessmentId, 'feedback'],
    staleTime: 0,
    queryFn: () =>
      unwrap(
        api.GET('/api/teams/{team_id}/assessments/{assessment_id}/feedback', {
          params: { path: { team_id: teamId, assessment_id: assessmentId } },
        }),
      ),
  })

/** What candidates said about the assessment, without names. */
export function CandidateFeedback({ where }: { where: Where }) {
  const found = useQuery(feedback(where)).data
  if (!found) return null
  if (found.count === 0)
    return <Text c="dimmed">No candidate has given feedback yet. They are asked after they finish.</Text>
  const { easy, right, hard } = found.difficulties
  return (
    <>
      <Text>
        {(found.mean ?? 0).toFixed(1)} of 5 on average, from {pluralize(found.count, 'candidate')}. Too easy
        for {easy}, about right for {right}, too hard for {hard}.
      </Text>
      {found.comments.length > 0 && (
        <ul className={css.comments} aria-label="Comments">
          {found.comments.map((each, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: comments can be equal, and the list is replaced as a whole
            <li key={place}>{each}</li>
          ))}
        </ul>
      )}
    </>
  )
}
