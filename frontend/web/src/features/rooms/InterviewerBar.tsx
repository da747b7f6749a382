import { Button, Menu, Select, Text, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconClock, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAvailableItems } from '@/features/assessment-builder'
import { useSecondsLeft } from '@/features/participations'
import { ConfirmButton } from '@/shared/forms/ConfirmButton'
import { Dialog } from '@/shared/ui/Dialog'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import css from './Rooms.module.css'
import { type Room, useEnd, useExtend, useShowChallenge, useTimer } from './requests'

const MINUTES = [10, 20, 30, 45, 60]

/** What interviewers do while the interview goes on. */
export function InterviewerBar({ room }: { room: Room }) {
  const end = useEnd(room.id)
  return (
    <nav className={css.bar} aria-label="Interview">
      <Challenges room={room} />
      <Extend room={room} />
      <TimerMenu room={room} />
      <span className={css.gap} />
      <Link to={`/teams/${room.team_id}/rooms`}>All interviews</Link>
      <ConfirmButton
        label="End interview"
        title="End this interview?"
        grave
        act={() => end.mutateAsync(undefined)}
      >
        <Text size="sm">
          Everyone is disconnected, the links stop working, and the code can no longer be changed. You keep
          the replay, the transcript and your notes.
        </Text>
      </ConfirmButton>
    </nav>
  )
}

function Challenges({ room }: { room: Room }) {
  const show = useShowChallenge(room.id)
  const [adding, { open, close }] = useDisclosure()
  const current = room.challenges.find(each => each.position === room.position)
  return (
    <>
      <Menu position="bottom-start" width={320}>
        <Menu.Target>
          <Button
            size="xs"
            variant={current ? 'default' : 'filled'}
            loading={show.isPending}
            rightSection={<IconChevronDown size={15} />}
            className={css.challenge}
          >
            {current ? current.title : 'Show a challenge'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Show everyone</Menu.Label>
          {room.challenges.map(each => (
            <Menu.Item
              key={each.position}
              disabled={each.position === room.position}
              onClick={() => show.mutate(each.slug)}
            >
              {each.title}
              {each.position === room.position ? ' (shown)' : each.opened_at ? ' (has code)' : ''}
            </Menu.Item>
          ))}
          <Menu.Divider role="separator" />
          <Menu.Item leftSection={<IconPlus size={15} />} onClick={open}>
            Add another challenge
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog title="Add a challenge" opened={adding} onClose={close}>
        <Add
          room={room}
          onAdd={name => show.mutateAsync(name).then(close, () => undefined)}
          busy={show.isPending}
        />
        {show.error && <ErrorMessage error={show.error} />}
      </Dialog>
    </>
  )
}

function Add({ room, onAdd, busy }: { room: Room; onAdd: (name: string) => void; busy: boolean }) {
  const [name, setName] = useState<string | null>(null)
  const items = useAvailableItems(room.team_id ?? '')
  const data = [...(items?.values() ?? [])]
    .filter(each => each.choice.kind === 'challenge')
    .map(each => ({ value: each.choice.name, label: each.title }))
  return (
    <>
      <Select
        label="Challenge"
        placeholder={items ? 'Type to search' : 'Loading…'}
        searchable
        data={data}
        value={name}
        onChange={setName}
        nothingFoundMessage="No challenge has this name."
        data-autofocus
      />
      <Button mt="lg" disabled={!name} loading={busy} onClick={() => name && onAdd(name)}>
        Show everyone
      </Button>
    </>
  )
}

function Extend({ room }: { room: Room }) {
  const [opened, { open, close }] = useDisclosure()
  const [text, setText] = useState('')
  const extend = useExtend(room.id)
  const save = (wanted: string) => extend.mutateAsync(wanted).then(close, () => undefined)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={!room.position}
        onClick={() => {
          setText(room.extension)
          open()
        }}
      >
        Extend statement
      </Button>
      <Dialog title="Extend the statement" size="lg" opened={opened} onClose={close}>
        <Textarea
          label="Shown above the statement, to everyone"
          description="Markdown, with formulas between dollar signs."
          placeholder="Now make it work for a batch of inputs."
          autosize
          minRows={5}
          maxRows={16}
          maxLength={20_000}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          data-autofocus
        />
        {extend.error && <ErrorMessage error={extend.error} />}
        <div className={css.buttons}>
          {room.extension && (
            <Button variant="default" loading={extend.isPending} onClick={() => save('')}>
              Remove
            </Button>
          )}
          <Button loading={extend.isPending} disabled={!text.trim()} onClick={() => save(text)}>
            Show everyone
          </Button>
        </div>
      </Dialog>
    </>
  )
}

function TimerMenu({ room }: { room: Room }) {
  const timer = useTimer(room.id)
  const left = useSecondsLeft(room.timer_ends_at ?? room.server_time)
  const runs = room.timer_ends_at !== null
  const minutes = [...new Set([...MINUTES, room.minutes])].sort((one, two) => one - two)
  return (
    <Menu position="bottom-start" width={200}>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconClock size={15} />} loading={timer.isPending}>
          Timer
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {runs ? (
          <>
            <Menu.Item onClick={() => timer.mutate(left + 300)}>Add 5 minutes</Menu.Item>
            <Menu.Item onClick={() => timer.mutate(0)}>Stop</Menu.Item>
          </>
        ) : (
          minutes.map(each => (
            <Menu.Item key={each} onClick={() => timer.mutate(60 * each)}>
              {each} minutes{each === room.minutes && ' (planned)'}
            </Menu.Item>
          ))
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
