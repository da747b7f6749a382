import { ActionIcon, Alert, Button, Checkbox, Text, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { type ClipboardEvent, type FormEvent, memo, useState } from 'react'
import { ApiError } from '@/api/client'
import { pluralize } from '@/shared/format/numbers'
import { ExtraTimeField } from './ExtraTimeField'
import css from './Invitations.module.css'
import { NO_EXTRA_TIME, toExtraTime } from './model/extraTime'
import { type InviteFormProps, NO_MAIL } from './model/inviteForm'
import { emptyRecipient, MAX_RECIPIENTS, parseRecipients, type Recipient } from './model/recipients'
import { useInvite, useSendsMail } from './model/requests'

/** One row per person. A pasted list fills as many rows as it has people. */
export function InviteByEmail({ days, until, done }: InviteFormProps) {
  const [people, setPeople] = useState<Recipient[]>(() => [emptyRecipient()])
  const [letters, setLetters] = useState(true)
  const [full, setFull] = useState(false)
  const invite = useInvite()
  const sendsMail = useSendsMail()
  const named = people.filter(each => each.email.trim() !== '')
  const refusal = invite.error instanceof ApiError ? invite.error : null
  const send = (event: FormEvent) => {
    event.preventDefault()
    const body = {
      people: named.map(({ email, name, extra }) => ({
        email: email.trim(),
        name,
        ...(toExtraTime(extra) ?? NO_EXTRA_TIME),
      })),
      days,
      letters: letters && sendsMail,
    }
    invite.mutate(body, {
      onSuccess: made => {
        setPeople([emptyRecipient()])
        done(made.items)
      },
    })
  }
  const change = (person: Recipient) => {
    setPeople(before => before.map(each => (each.id === person.id ? person : each)))
  }
  const paste = (into: Recipient, pasted: Recipient[]) => {
    const others = people.filter(each => each.id !== into.id && each.email !== '')
    const all = [...others, ...pasted]
    setFull(all.length > MAX_RECIPIENTS)
    setPeople(all.slice(0, MAX_RECIPIENTS))
  }
  const remove = (person: Recipient) => {
    // Errors refer to rows by index, so removing a row clears them.
    invite.reset()
    setPeople(people.filter(each => each !== person))
  }
  const of = (person: Recipient, field: string) =>
    refusal?.messageFor(`people.${named.indexOf(person)}.${field}`)
  const wrong = (person: Recipient) =>
    of(person, 'email') ?? of(person, 'name') ?? of(person, 'extra_minutes') ?? of(person, 'time_percent')
  return (
    <form onSubmit={send}>
      <ol className={css.people} aria-label="Candidates to invite">
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
        disabled={people.length >= MAX_RECIPIENTS}
        onClick={() => setPeople([...people, emptyRecipient()])}
      >
        Add candidate
      </Button>
      <Text size="sm" c="dimmed" mt="xs">
        Or paste a list into the first field, one candidate per line.{!sendsMail && ` ${NO_MAIL}`}
      </Text>
      {full && (
        <Alert color="marigold" variant="light" mt="sm" role="status">
          Only the first {MAX_RECIPIENTS} candidates were added. Use a CSV file to invite up to 500.
        </Alert>
      )}
      {refusal && (
        <Alert color="red" variant="light" mt="md" role="alert">
          {people.some(wrong) ? 'No one was invited. Fix the marked rows and try again.' : refusal.message}
        </Alert>
      )}
      <div className={css.foot}>
        {until}
        {sendsMail && (
          <Checkbox
            label="Send each candidate an email"
            checked={letters}
            onChange={event => setLetters(event.currentTarget.checked)}
            mb={8}
          />
        )}
        <Button
          type="submit"
          loading={invite.isPending}
          disabled={named.length === 0 || named.some(each => !toExtraTime(each.extra))}
        >
          {named.length > 1 ? `Invite ${pluralize(named.length, 'candidate')}` : 'Invite'}
        </Button>
      </div>
    </form>
  )
}

interface FieldsProps {
  person: Recipient
  number: number
  change: (person: Recipient) => void
  paste: (into: Recipient, people: Recipient[]) => void
  drop?: () => void
  wrong?: string
}

const Fields = memo(function Fields({ person, number, change, paste, drop, wrong }: FieldsProps) {
  const first = number === 1
  const pasted = (event: ClipboardEvent) => {
    const found = parseRecipients(event.clipboardData.getData('text'))
    if (found.length < 2 && !found[0]?.name) return
    event.preventDefault()
    paste(person, found)
  }
  return (
    <li className={css.person} data-refused={wrong ? true : undefined}>
      <TextInput
        type="email"
        label={first ? 'Email' : undefined}
        aria-label={`Email of candidate ${number}`}
        value={person.email}
        onChange={event => change({ ...person, email: event.currentTarget.value })}
        onPaste={pasted}
        maxLength={254}
        autoComplete="off"
        error={wrong}
      />
      <TextInput
        label={first ? 'Name (optional)' : undefined}
        aria-label={`Name of candidate ${number}`}
        value={person.name}
        onChange={event => change({ ...person, name: event.currentTarget.value })}
        maxLength={80}
        autoComplete="off"
      />
      <ExtraTimeField
        label={first ? 'Extra time' : undefined}
        aria-label={`Extra time for candidate ${number}`}
        value={person.extra}
        change={extra => change({ ...person, extra })}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={`Remove candidate ${number}`}
        disabled={!drop}
        onClick={drop}
      >
        <IconX size={17} />
      </ActionIcon>
    </li>
  )
})
