import { Anchor, SegmentedControl, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearchParams } from 'react-router'
import { useTitle } from '@/shared/hooks/useTitle'
import { MembersOnly } from '@/shared/pages/MembersOnly'
import { Loaded } from '@/shared/ui/QueryStates'
import { colorOf, ROLE_NAMES } from '../connection/people'
import { PrivateNotes } from '../PrivateNotes'
import css from '../Rooms.module.css'
import { type Room, room as roomQuery } from '../requests'
import { Replay } from './Replay'

/** How an interview went: the code, edit by edit, beside everything that happened. */
export function Component() {
  return <MembersOnly title="Replay">{() => <Page />}</MembersOnly>
}

function Page() {
  const { roomId = '' } = useParams()
  const query = useQuery(roomQuery(roomId))
  useTitle(query.data ? `Replay: ${query.data.title}` : 'Replay')
  return (
    <Loaded page query={query}>
      {room => <Shown room={room} />}
    </Loaded>
  )
}

function Shown({ room }: { room: Room }) {
  const [params, setParams] = useSearchParams()
  const opened = room.challenges.filter(each => each.opened_at !== null)
  const wanted = Number(params.get('challenge'))
  const current = opened.find(each => each.position === wanted) ?? opened[0]
  return (
    <>
      <Anchor component={Link} to={`/teams/${room.team_id}/rooms`} size="sm">
        All live interviews
      </Anchor>
      <Title order={1} style={{ overflowWrap: 'anywhere' }}>
        {room.title}
      </Title>
      <ul className={css.legend} aria-label="People">
        {room.people.map(each => (
          <li key={each.id} className={css.who}>
            <span className={css.swatch} style={{ background: colorOf(each.color) }} />
            {each.name} <Text span c="dimmed" inherit>{`(${ROLE_NAMES[each.role].toLowerCase()})`}</Text>
          </li>
        ))}
      </ul>
      {!room.ended_at && (
        <Text mb="md">
          This interview has not ended. <Link to={`/rooms/${room.id}`}>Enter the room</Link>
        </Text>
      )}
      {opened.length > 1 && (
        <SegmentedControl
          mb="md"
          aria-label="Challenge"
          data={opened.map(each => ({ value: String(each.position), label: each.title }))}
          value={String(current?.position)}
          onChange={value => setParams({ challenge: value }, { replace: true })}
        />
      )}
      {current ? (
        <Replay key={current.position} room={room} challenge={current} />
      ) : (
        <Text c="dimmed">No challenge was shown.</Text>
      )}
      <section aria-label="Notes and rubric">
        <Title order={2} fz="1.3rem" mt="xl" mb="sm">
          Notes and rubric
        </Title>
        <PrivateNotes roomId={room.id} />
      </section>
    </>
  )
}
