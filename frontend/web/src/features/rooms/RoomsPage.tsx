import { Text, Title } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '@/api/client'
import { useTeamPages } from '@/api/teams'
import { atLeast, type Team, TeamFrame } from '@/features/teams'
import { PagedList } from '@/shared/ui/PagedList'
import { NewRoom } from './NewRoom'
import { RoomItem } from './RoomItem'
import { RoomLinks } from './RoomLinks'
import css from './Rooms.module.css'

/** The live interviews of a team. */
export function Component() {
  return <TeamFrame>{team => <Rooms team={team} />}</TeamFrame>
}

function Rooms({ team }: { team: Team }) {
  const [made, setMade] = useState<Schemas['RoomLinks']>()
  const query = useTeamPages(team.id, ['rooms'], cursor =>
    unwrap(
      api.GET('/api/teams/{team_id}/rooms', { params: { path: { team_id: team.id }, query: { cursor } } }),
    ),
  )
  const none = query.data?.pages[0]?.items.length === 0
  const creates = atLeast(team, 'author')
  return (
    <>
      {none ? (
        <div className={css.empty}>
          <Title order={2} fz="1.35rem">
            No live interviews yet
          </Title>
          <Text c="dimmed" maw="36rem" mx="auto" mt="xs" mb="lg" lh={1.6}>
            A candidate and the interviewers write code in one editor, and see the same results. You change
            the challenge as you go, keep private notes, and watch the replay afterwards.
          </Text>
          {creates ? (
            <NewRoom team={team} onMade={setMade} />
          ) : (
            <Text size="sm">Authors and owners of the team can create live interviews.</Text>
          )}
        </div>
      ) : (
        creates && query.data && <NewRoom team={team} onMade={setMade} />
      )}
      {made && <RoomLinks links={made} />}
      {!none && (
        <PagedList query={query} empty="">
          {items => (
            <ul className={css.list} aria-label="Live interviews">
              {items.map(each => (
                <RoomItem key={each.id} team={team} room={each} onLinks={setMade} />
              ))}
            </ul>
          )}
        </PagedList>
      )}
    </>
  )
}
