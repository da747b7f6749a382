import { Alert, Button, Group, NumberInput, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import css from './Invitations.module.css'
import type { WayProps } from './Invite'
import { useInvite } from './queries'

/** A link for one person, to be handed over by whoever makes it. */
export function ByLink({ days, until, done }: WayProps) {
  const [name, setName] = useState('')
  const [extra, setExtra] = useState(0)
  const invite = useInvite()
  const send = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate(
      { people: [{ email: '', name, extra_minutes: extra }], days, letters: false },
      {
        onSuccess: made => {
          setName('')
          setExtra(0)
          done(made.items)
        },
      },
    )
  }
  return (
    <form onSubmit={send}>
      <Text size="sm" c="dimmed" mb="md">
        No letter is written: you hand the link over yourself. It is for one person.
      </Text>
      <Group align="end" gap="sm">
        <TextInput
          label="For whom"
          description="For your list only"
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          maxLength={80}
          autoComplete="off"
          style={{ flex: '1 1 14rem' }}
          maw={360}
        />
        <NumberInput
          label="Extra minutes"
          value={extra}
          onChange={value => setExtra(Number(value))}
          min={0}
          max={1440}
          clampBehavior="strict"
          allowDecimal={false}
          w={128}
        />
      </Group>
      {invite.error && (
        <Alert color="red" variant="light" mt="md" role="alert">
          {invite.error.message}
        </Alert>
      )}
      <div className={css.foot}>
        {until}
        <Button type="submit" loading={invite.isPending}>
          Make the link
        </Button>
      </div>
    </form>
  )
}
