import { Anchor, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api, unwrap } from '@/api/client'
import { teams, useTeamPages } from '@/api/teams'
import { NewTeam, type Team, TeamsIntroduction } from '@/features/teams'
import { pluralize } from '@/shared/format/numbers'
import { useTitle } from '@/shared/hooks/useTitle'
import { MembersOnly } from '@/shared/pages/MembersOnly'
import { Loaded } from '@/shared/ui/QueryStates'
import { AssessmentItem } from './AssessmentItem'
import css from './Assessments.module.css'

const SHOWN = 5

/** The start page of interviewers: the open assessments of all their teams. */
export function Component() {
  useTitle('Hiring')
  return <MembersOnly title="Hiring">{() => <Overview />}</MembersOnly>
}

function Overview() {
  return (
    <Loaded page query={useQuery(teams(true))}>
      {items => (
        <>
          <Title order={1}>Hiring</Title>
          {items.length === 0 ? <TeamsIntroduction /> : <Teams items={items} />}
        </>
      )}
    </Loaded>
  )
}

function Teams({ items }: { items: Team[] }) {
  return (
    <>
      <Text c="dimmed" mt={4} mb="xl">
        The open assessments of your teams. Only a team, and the candidates that it invites, can see them.
      </Text>
      {items.map(each => (
        <TeamSection key={each.id} team={each} />
      ))}
      <section className={css.another} aria-labelledby="another">
        <Title order={2} id="another" fz="1.3rem" mb="md">
          New team
        </Title>
        <NewTeam />
      </section>
    </>
  )
}

function TeamSection({ team }: { team: Team }) {
  const at = `/teams/${team.id}`
  return (
    <section className={css.team} aria-label={team.name}>
      <div className={css.teamHead}>
        <Title order={2} fz="1.3rem">
          <Link to={at}>{team.name}</Link>
        </Title>
        <span className={css.soft}>
          You: {team.role}, {pluralize(team.members, 'member')}
        </span>
        <Anchor component={Link} to={at} aria-label={`All assessments of ${team.name}`}>
          All assessments
        </Anchor>
      </div>
      <OpenAssessments team={team} />
    </section>
  )
}

function OpenAssessments({ team }: { team: Team }) {
  const query = useTeamPages(team.id, ['assessments', 'open'], cursor =>
    unwrap(
      api.GET('/api/teams/{team_id}/assessments', {
        params: { path: { team_id: team.id }, query: { cursor, state: 'open' } },
      }),
    ),
  )
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const open = pages.flatMap(page => page.items)
        if (open.length === 0) return <Text c="dimmed">No open assessments.</Text>
        return (
          <ul className={css.list}>
            {open.slice(0, SHOWN).map(each => (
              <AssessmentItem key={each.id} team={team} assessment={each} />
            ))}
          </ul>
        )
      }}
    </Loaded>
  )
}
