import { NativeSelect, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { Row } from '../account/Section'
import { day } from '../account/when'
import { api, type Schemas, told } from '../api/client'
import { useMe } from '../api/queries'
import { members as asked, useTeamDeed } from '../api/teams'
import { Sure } from '../desk/Parts'
import { Loaded } from '../parts/States'
import { Chip } from './Chip'
import { atLeast, type Team } from './TeamFrame'
import { ROLES, type Role } from './words'

type Member = Schemas['MemberView']

/** Everybody in the team. Owners change roles and take people out; everybody may leave, but for the last owner. */
export function Members({ team }: { team: Team }) {
  const account = useMe()
  return (
    <Loaded query={useQuery(asked(team.id))}>
      {items => {
        const owners = items.filter(each => each.role === 'owner').length
        return items.map(each => (
          <One
            key={each.account_id}
            team={team}
            member={each}
            mine={each.account_id === account?.id}
            last={each.role === 'owner' && owners === 1}
          />
        ))
      }}
    </Loaded>
  )
}

interface Props {
  team: Team
  member: Member
  mine: boolean
  /** Whether the team has no other owner. */
  last: boolean
}

function One({ team, member, mine, last }: Props) {
  const path = { team_id: team.id, account_id: member.account_id }
  const change = useTeamDeed(team.id, (role: Role) =>
    told(api.PUT('/api/teams/{team_id}/members/{account_id}', { params: { path }, body: { role } })),
  )
  const owning = atLeast(team, 'owner')
  return (
    <Row
      label={
        <>
          {member.name}
          {mine && <Chip>you</Chip>}
        </>
      }
      hint={
        <>
          <span style={{ overflowWrap: 'anywhere' }}>{member.email}</span> · here since{' '}
          {day(member.joined_at)}
          {last && mine && '. A team needs an owner: make somebody else owner before you leave'}
        </>
      }
      action={
        <>
          {owning && !last ? (
            <NativeSelect
              size="xs"
              aria-label={`Role of ${member.name}`}
              data={ROLES.map(({ value, label }) => ({ value, label }))}
              value={change.isPending ? change.variables : member.role}
              disabled={change.isPending}
              onChange={event => change.mutate(event.currentTarget.value as Role)}
            />
          ) : (
            <Text size="sm">{ROLES.find(each => each.value === member.role)?.label}</Text>
          )}
          {!last && (mine || owning) && <Out team={team} member={member} mine={mine} />}
        </>
      }
    >
      {change.error && (
        <Text size="sm" c="var(--g-bad)" role="alert">
          {change.error.message}
        </Text>
      )}
    </Row>
  )
}

function Out({ team, member, mine }: Omit<Props, 'last'>) {
  const go = useNavigate()
  const client = useQueryClient()
  const path = { team_id: team.id, account_id: member.account_id }
  const act = async () => {
    await told(api.DELETE('/api/teams/{team_id}/members/{account_id}', { params: { path } }))
    await client.invalidateQueries({ queryKey: ['teams'] })
    if (!mine) return client.invalidateQueries({ queryKey: ['team', team.id] })
    await go('/teams')
    client.removeQueries({ queryKey: ['team', team.id] })
  }
  return (
    <Sure
      label={mine ? 'Leave' : 'Remove'}
      title={mine ? `Leave «${team.name}»` : `Take ${member.name} out of the team`}
      act={act}
      grave
    >
      <Text size="sm">
        {mine
          ? 'You see nothing of the team any more. What you made for it stays; an owner may invite you again.'
          : 'They see nothing of the team any more, from this moment on. What they made for it stays.'}
      </Text>
    </Sure>
  )
}
