import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { api, unwrap } from '@/api/client'
import { useMe } from '@/api/queries'
import { useTeamMutation } from '@/api/teams'
import { RankingTable, WINDOWS } from '@/features/leaderboards'
import { pluralize } from '@/shared/format/numbers'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import { type Team, TeamFrame } from './TeamFrame'

export function Component() {
  return <TeamFrame>{team => <Board team={team} />}</TeamFrame>
}

/** The points of the members who have joined the team's board. */
function Board({ team }: { team: Team }) {
  const me = useMe()
  const [params, setParams] = useSearchParams()
  const window = params.get('window') ?? 'month'
  const path = { team_id: team.id }
  const query = useQuery({
    queryKey: ['team', team.id, 'leaderboard', window],
    staleTime: 0,
    queryFn: () =>
      unwrap(api.GET('/api/teams/{team_id}/leaderboard', { params: { path, query: { window } } })),
  })
  const join = useTeamMutation(team.id, (on_board: boolean) =>
    unwrap(api.PUT('/api/teams/{team_id}/leaderboard/me', { params: { path }, body: { on_board } })),
  )
  return (
    <>
      <Text c="dimmed" mb="lg" maw="44rem">
        Points for challenges of the catalogue that members solved. Only members of this team can see this
        board. It shows those who have joined it, even if their profile is private.
      </Text>
      {join.error && <ErrorMessage error={join.error} />}
      <Loaded query={query}>
        {board => (
          <>
            <Group justify="space-between" mb="md">
              <SegmentedControl
                aria-label="Period"
                value={window}
                data={WINDOWS}
                onChange={value => setParams(value === 'month' ? {} : { window: value }, { replace: true })}
              />
              <Button
                variant={board.on_board ? 'default' : 'filled'}
                loading={join.isPending}
                onClick={() => join.mutate(!board.on_board)}
              >
                {board.on_board ? 'Leave the board' : 'Join the board'}
              </Button>
            </Group>
            {board.items.length > 0 && <RankingTable items={board.items} me={me?.id} timed={false} plain />}
            <Text size="sm" c="dimmed" mt="md" role="status">
              {pluralize(board.joined, 'member')} of {team.members} joined.
              {board.joined > board.items.length && ' Members without points in this period are not listed.'}
            </Text>
          </>
        )}
      </Loaded>
    </>
  )
}
