import { NativeSelect, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { useMe } from '@/api/queries'
import { members as membersQuery, useTeamMutation } from '@/api/teams'
import { formatDate } from '@/shared/format/dates'
import { ConfirmButton } from '@/shared/forms/ConfirmButton'
import { Row } from '@/shared/forms/Section'
import { Chip } from '@/shared/ui/Chip'
import { Loaded } from '@/shared/ui/QueryStates'
import { ROLES, type Role } from './roles'
import { atLeast, type Team } from './TeamFrame'

type Member = Schemas['MemberView']

/** All members. Owners change roles and remove members. Everyone may leave, except the last owner. */
export function Members({ team }: { team: Team }) {
  const account = useMe()
  return (
    <Loaded query={useQuery(membersQuery(team.id))}>
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
  /** Whether this is the team's last owner. */
  last: boolean
}

function One({ team, member, mine, last }: Props) {
  const path = { team_id: team.id, account_id: member.account_id }
  const change = useTeamMutation(team.id, (role: Role) =>
    unwrap(api.PUT('/api/teams/{team_id}/members/{account_id}', { params: { path }, body: { role } })),
  )
  const owning = atLeast(team, 'owner')
  return (
    <Row
      label={
        <>
          {member.name}
          {mine && <Chip>You</Chip>}
        </>
      }
      hint={
        <>
          <span style={{ overflowWrap: 'anywhere' }}>{member.email}</span> · member since{' '}
          {formatDate(member.joined_at)}
          {last && mine && (
            <>
              <br />
              You are the only owner. Make someone else an owner before you leave.
            </>
          )}
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
    await unwrap(api.DELETE('/api/teams/{team_id}/members/{account_id}', { params: { path } }))
    await client.invalidateQueries({ queryKey: ['teams'] })
    if (!mine) return client.invalidateQueries({ queryKey: ['team', team.id] })
    await go('/teams')
    client.removeQueries({ queryKey: ['team', team.id] })
  }
  return (
    <ConfirmButton
      label={mine ? 'Leave' : 'Remove'}
      title={mine ? `Leave “${team.name}”?` : `Remove ${member.name} from the team?`}
      act={act}
      grave
    >
      <Text size="sm">
        {mine
          ? 'You lose access to the team. What you created for it is kept. An owner can invite you again.'
          : 'They lose access to the team immediately. What they created for it is kept.'}
      </Text>
    </ConfirmButton>
  )
}
