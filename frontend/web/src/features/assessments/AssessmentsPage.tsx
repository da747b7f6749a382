import { Text, Title } from '@mantine/core'
import { Link, useSearchParams } from 'react-router'
import { api, unwrap } from '@/api/client'
import { useTeamPages } from '@/api/teams'
import { atLeast, type Team, TeamFrame } from '@/features/teams'
import { PagedList } from '@/shared/ui/PagedList'
import { AssessmentItem } from './AssessmentItem'
import css from './Assessments.module.css'
import { NewAssessment } from './NewAssessment'

const FILTERS = [
  [undefined, 'All'],
  ['draft', 'Drafts'],
  ['open', 'Open'],
  ['archived', 'Archived'],
] as const
const NONE = {
  draft: 'No drafts.',
  open: 'No open assessments.',
  archived: 'No archived assessments.',
}

export function Component() {
  return <TeamFrame>{team => <Assessments team={team} />}</TeamFrame>
}

function Assessments({ team }: { team: Team }) {
  const [params] = useSearchParams()
  const [state] = FILTERS.find(([each]) => each === params.get('state')) ?? FILTERS[0]
  const query = useTeamPages(team.id, ['assessments', state ?? ''], cursor =>
    unwrap(
      api.GET('/api/teams/{team_id}/assessments', {
        params: { path: { team_id: team.id }, query: { cursor, ...(state ? { state } : {}) } },
      }),
    ),
  )
  const none = query.data?.pages[0]?.items.length === 0
  if (none && !state && !query.isPlaceholderData) return <First team={team} />
  return (
    <>
      <div className={css.bar}>
        <nav className={css.filter} aria-label="Filter by status">
          {FILTERS.map(([each, name]) => (
            <Link
              key={name}
              to={each ? `?state=${each}` : '?'}
              replace
              preventScrollReset
              className={css.choice}
              aria-current={each === state ? 'true' : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
        {query.data && atLeast(team, 'author') && <NewAssessment team={team} />}
      </div>
      <PagedList query={query} empty={state ? NONE[state] : ''}>
        {items => (
          <ul className={css.list}>
            {items.map(each => (
              <AssessmentItem key={each.id} team={team} assessment={each} />
            ))}
          </ul>
        )}
      </PagedList>
    </>
  )
}

/** Shown while the team has no assessments. */
function First({ team }: { team: Team }) {
  return (
    <div className={css.empty}>
      <Title order={2} fz="1.35rem">
        No assessments yet
      </Title>
      <Text c="dimmed" maw="34rem" mx="auto" mt="xs" mb="lg" lh={1.6}>
        Candidates take assessments: challenges and quizzes in sections, with points and a time limit. Create
        one, try it yourself, open it, then invite candidates.
      </Text>
      {atLeast(team, 'author') ? (
        <NewAssessment team={team} />
      ) : (
        <Text size="sm">Authors and owners of the team can create assessments.</Text>
      )}
    </div>
  )
}
