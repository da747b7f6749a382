import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { Link } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { useTeamMutation } from '@/api/teams'
import { atLeast, type Team } from '@/features/teams'
import { formatDateTime } from '@/shared/format/dates'
import { Chip } from '@/shared/ui/Chip'
import { Dialog } from '@/shared/ui/Dialog'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import css from './Rooms.module.css'

interface Props {
  team: Team
  room: Schemas['RoomCard']
  onLinks: (links: Schemas['RoomLinks']) => void
}

/** A live interview in the list of its team. */
export function RoomItem({ team, room, onLinks }: Props) {
  const over = room.ended_at !== null
  return (
    <li className={css.item}>
      <div className={css.what}>
        <Group gap="sm">
          <Link to={over ? `/rooms/${room.id}/replay` : `/rooms/${room.id}`} className={css.title}>
            {room.title}
          </Link>
          {over ? <Chip>Ended</Chip> : <Chip tone="good">Open</Chip>}
        </Group>
        <Text size="sm" c="dimmed">
          {room.candidates.length > 0 && `${room.candidates.join(', ')} · `}
          {room.created_by ? `By ${room.created_by}, ` : ''}
          {formatDateTime(room.created_at)} · {room.minutes} minutes
        </Text>
      </div>
      <Button
        component={Link}
        to={over ? `/rooms/${room.id}/replay` : `/rooms/${room.id}`}
        size="xs"
        variant={over ? 'default' : 'filled'}
        aria-label={`${over ? 'Replay' : 'Enter'}: ${room.title}`}
      >
        {over ? 'Replay' : 'Enter'}
      </Button>
      {atLeast(team, 'author') && <More team={team} room={room} onLinks={onLinks} />}
    </li>
  )
}

function More({ team, room, onLinks }: Props) {
  const [leaving, { open: ask, close }] = useDisclosure()
  const path = { team_id: team.id, room_id: room.id }
  const renew = useTeamMutation(
    team.id,
    () => unwrap(api.POST('/api/teams/{team_id}/rooms/{room_id}/links', { params: { path } })),
    onLinks,
  )
  const remove = useTeamMutation(team.id, () =>
    unwrap(api.DELETE('/api/teams/{team_id}/rooms/{room_id}', { params: { path } })),
  )
  return (
    <>
      <Menu position="bottom-end" width={190}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${room.title}`}>
            <IconDots size={19} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {room.ended_at === null && (
            <>
              <Menu.Item onClick={() => renew.mutate(undefined)}>Create new links</Menu.Item>
              <Menu.Item component={Link} to={`/rooms/${room.id}/replay`}>
                Replay so far
              </Menu.Item>
              <Menu.Divider role="separator" />
            </>
          )}
          <Menu.Item c="var(--g-bad)" onClick={ask}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {renew.error && (
        <Dialog title={room.title} onClose={() => renew.reset()}>
          <ErrorMessage error={renew.error} />
        </Dialog>
      )}
      <Dialog title={`Delete “${room.title}”?`} opened={leaving} onClose={close}>
        <Text size="sm">This permanently deletes the code, the transcript, the results, and all notes.</Text>
        {remove.error && <ErrorMessage error={remove.error} />}
        <Group mt="lg" justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
            Delete
          </Button>
        </Group>
      </Dialog>
    </>
  )
}
