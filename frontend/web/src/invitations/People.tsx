import { ActionIcon, Alert, Button, Checkbox, NumberInput, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ClipboardEvent, type FormEvent, memo, useState } from 'react'
import { Refusal } from '../api/client'
import { many } from '../team/words'
import css from './Invitations.module.css'
import type { WayProps } from './Invite'
import { MOST, nobody, type Person, peopleIn } from './people'
import { useInvite } from './queries'

/** One person a row. A list that is pasted fills as many rows as it has people. */
export function People({ days, until, done }: WayProps) {
  const [people, setPeople] = useState<Person[]>(() => [nobody()])
  const [letters, setLetters] = useState(true)
  const [full, setFull] = useState(false)
  const invite = useInvite()
  const named = people.filter(each => each.email.trim() !== '')
  const refusal = invite.error instanceof Refusal ? invite.error : null
  const send = (event: FormEvent) => {
    event.preventDefault()
    const body = {
      people: named.map(({ email, name, extra }) => ({ email: email.trim(), name, extra_minutes: extra })),
      days,
      letters,
    }
    invite.mutate(body, {
      onSuccess: made => {
        setPeople([nobody()])
        done(made.items)
      },
    })
  }
  const change = (person: Person) => {
    setPeople(before => before.map(each => (each.id === person.id ? person : each)))
  }
  const paste = (into: Person, pasted: Person[]) => {
    const others = people.filter(each => each.id !== into.id && each.email !== '')
    const all = [...others, ...pasted]
    setFull(all.length > MOST)
    setPeople(all.slice(0, MOST))
  }
  const remove = (person: Person) => {
    // What was refused is told by place.
    invite.reset()
    setPeople(people.filter(each => each !== person))
  }
  const of = (person: Person, field: string) => refusal?.of(`people.${named.indexOf(person)}.${field}`)
  const wrong = (person: Person) => of(person, 'email') ?? of(person, 'name') ?? of(person, 'extra_minutes')
  return (
    <form onSubmit={send}>
      <ol className={css.people} aria-label="People to invite">
        {people.map((each, number) => (
          <Fields
            key={each.id}
            person={each}
            number={number + 1}
            change={change}
            paste={paste}
            drop={people.length > 1 ? () => remove(each) : undefined}
            wrong={wrong(each)}
          />
        ))}
      </ol>
      <Button
        size="xs"
        variant="subtle"
        mt="sm"
        leftSection={<IconPlus size={15} />}
        disabled={people.length >= MOST}
        onClick={() => setPeople([...people, nobody()])}
      >
        Another person
      </Button>
      <Text size="sm" c="dimmed" mt="xs">
        Or paste a list into the first field: a person a line.
      </Text>
      {full && (
        <Alert color="marigold" variant="light" mt="sm" role="status">
          The first {MOST} are here. A CSV file takes 500 at once.
        </Alert>
      )}
      {refusal && (
        <Alert color="red" variant="light" mt="md" role="alert">
          {people.some(wrong) ? 'Nobody was invited. What is wrong stands at its row.' : refusal.message}
        </Alert>
      )}
      <div className={css.foot}>
        {until}
        <Checkbox
          label="Send each of them a letter"
          checked={letters}
          onChange={event => setLetters(event.currentTarget.checked)}
          mb={8}
        />
        <Button type="submit" loading={invite.isPending} disabled={named.length === 0}>
          {named.length > 1 ? `Invite ${many(named.length, 'person', 'people')}` : 'Invite'}
        </Button>
      </div>
    </form>
  )
}

interface FieldsProps {
  person: Person
  number: number
  change: (person: Person) => void
  paste: (into: Person, people: Person[]) => void
  drop?: () => void
  wrong?: string
}

const Fields = memo(function Fields({ person, number, change, paste, drop, wrong }: FieldsProps) {
  const first = number === 1
  const pasted = (event: ClipboardEvent) => {
    const found = peopleIn(event.clipboardData.getData('text'))
    if (found.length < 2 && !found[0]?.name) return
    event.preventDefault()
    paste(person, found)
  }
  return (
    <li className={css.person} data-refused={wrong ? true : undefined}>
      <TextInput
        type="email"
        label={first ? 'E-mail' : undefined}
        aria-label={`E-mail of person ${number}`}
        value={person.email}
        onChange={event => change({ ...person, email: event.currentTarget.value })}
        onPaste={pasted}
        maxLength={254}
        autoComplete="off"
        error={wrong}
      />
      <TextInput
        label={first ? 'Name, if you know it' : undefined}
        aria-label={`Name of person ${number}`}
        value={person.name}
        onChange={event => change({ ...person, name: event.currentTarget.value })}
        maxLength={80}
        autoComplete="off"
      />
      <NumberInput
        label={first ? 'Extra minutes' : undefined}
        aria-label={`Extra minutes of person ${number}`}
        value={person.extra}
        onChange={value => change({ ...person, extra: Number(value) })}
        min={0}
        max={1440}
        clampBehavior="strict"
        allowDecimal={false}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={`Remove person ${number}`}
        disabled={!drop}
        onClick={drop}
      >
        <IconX size={17} />
      </ActionIcon>
    </li>
  )
})
