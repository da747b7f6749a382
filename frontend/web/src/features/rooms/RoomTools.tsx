import { Anchor, Button, Popover, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconVideo } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { api, unwrap } from '@/api/client'
import { formatClock, useSecondsLeft } from '@/features/participations'
import { colorOf, initialsOf, ROLE_NAMES } from './connection/people'
import type { ConnectionState } from './connection/RoomConnection'
import css from './Rooms.module.css'
import type { Person, Room } from './requests'

const SHOWN = 5

/** The right part of a room's header: whether all is saved, who is here, the call, and the time left. */
export function RoomTools({ room, state }: { room: Room; state: ConnectionState }) {
  return (
    <>
      <Saved state={state} />
      {room.call_url && (
        <Anchor
          href={room.call_url}
          target="_blank"
          rel="noopener noreferrer"
          size="sm"
          className={css.call}
          aria-label="Video call, opens in a new tab"
        >
          <IconVideo size={17} /> <span className={css.wide}>Call</span>
        </Anchor>
      )}
      <People room={room} state={state} />
      {room.timer_ends_at && <Timer ends={room.timer_ends_at} />}
    </>
  )
}

function Saved({ state: { phase, saved } }: { state: ConnectionState }) {
  const [name, words] =
    phase === 'lost'
      ? ['lost', 'Reconnecting. Keep writing, nothing is lost.']
      : phase === 'connecting'
        ? ['wait', 'Connecting']
        : phase === 'refused'
          ? ['lost', 'Not connected']
          : saved
            ? ['good', 'Saved']
            : ['wait', 'Saving']
  return (
    <span className={css.saved} data-state={name} role="status" title={words}>
      <span className={css.dot} aria-hidden="true" />
      <span className={css.wide}>{words}</span>
    </span>
  )
}

/** Everybody who is in the room now. Others who have been here are in the list that opens. */
function People({ room, state }: { room: Room; state: ConnectionState }) {
  const present = new Set([room.you, ...state.people.map(each => each.id)])
  const here = room.people.filter(each => present.has(each.id))
  return (
    <Popover position="bottom-end" width={280} shadow="md" trapFocus>
      <Popover.Target>
        <UnstyledButton className={css.people}>
          <VisuallyHidden>
            {here.length} here: {here.map(each => each.name).join(', ')}
          </VisuallyHidden>
          {here.slice(0, SHOWN).map(each => (
            <Face key={each.id} person={each} />
          ))}
          {here.length > SHOWN && (
            <span className={css.more} aria-hidden="true">
              +{here.length - SHOWN}
            </span>
          )}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <ul className={css.persons}>
          {[...room.people]
            .sort((one, two) => Number(present.has(two.id)) - Number(present.has(one.id)))
            .map(each => (
              <li key={each.id}>
                <Face person={each} />
                <span>
                  {each.name}
                  {each.id === room.you && ' (you)'}
                  <small>
                    {ROLE_NAMES[each.role]}
                    {!present.has(each.id) && ', not here now'}
                  </small>
                </span>
              </li>
            ))}
        </ul>
        {room.role !== 'interviewer' && <Leave room={room} />}
      </Popover.Dropdown>
    </Popover>
  )
}

export function Face({ person }: { person: Person }) {
  return (
    <Tooltip label={`${person.name}, ${ROLE_NAMES[person.role].toLowerCase()}`}>
      <span className={css.face} style={{ background: colorOf(person.color) }} aria-hidden="true">
        {initialsOf(person.name)}
      </span>
    </Tooltip>
  )
}

function Leave({ room }: { room: Room }) {
  const go = useNavigate()
  const client = useQueryClient()
  const leave = async () => {
    await unwrap(api.POST('/api/room-links/leave'))
    client.removeQueries({ queryKey: ['room', room.id] })
    go('/')
  }
  return (
    <Button size="xs" variant="default" mt="sm" onClick={leave}>
      Leave the interview
    </Button>
  )
}

const ANNOUNCED = [10, 5, 1]

function Timer({ ends }: { ends: string }) {
  const left = useSecondsLeft(ends)
  const minutes = Math.ceil(left / 60)
  return (
    <>
      <span className={css.timer} data-late={left <= 60 || undefined} aria-hidden="true" title="Time left">
        {formatClock(left)}
      </span>
      <VisuallyHidden role="status">
        {left === 0
          ? 'Time is up.'
          : ANNOUNCED.includes(minutes) && `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} left.`}
      </VisuallyHidden>
    </>
  )
}
