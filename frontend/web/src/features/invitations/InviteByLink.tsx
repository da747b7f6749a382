import { Alert, Button, Group, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ExtraTimeField } from './ExtraTimeField'
import css from './Invitations.module.css'
import { NO_EXTRA_TIME, toExtraTime } from './model/extraTime'
import type { InviteFormProps } from './model/inviteForm'
import { useInvite } from './model/requests'

/** Creates a link for one person. Its creator passes it on. */
export function InviteByLink({ days, until, done }: InviteFormProps) {
  const [name, setName] = useState('')
  const [extra, setExtra] = useState('')
  const invite = useInvite()
  const send = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate(
      { people: [{ email: '', name, ...(toExtraTime(extra) ?? NO_EXTRA_TIME) }], days, letters: false },
      {
        onSuccess: made => {
          setName('')
          setExtra('')
          done(made.items)
        },
      },
    )
  }
  return (
    <form onSubmit={send}>
      <Text size="sm" c="dimmed" mb="md">
        No email is sent. Copy the link and send it yourself. It is for one candidate.
      </Text>
      <Group align="end" gap="sm">
        <TextInput
          label="Name"
          description="The candidate sees it and can change it"
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          maxLength={80}
          autoComplete="off"
          style={{ flex: '1 1 14rem' }}
          maw={360}
        />
        <ExtraTimeField label="Extra time" value={extra} change={setExtra} w={152} />
      </Group>
      {invite.error && (
        <Alert color="red" variant="light" mt="md" role="alert">
          {invite.error.message}
        </Alert>
      )}
      <div className={css.foot}>
        {until}
        <Button type="submit" loading={invite.isPending} disabled={!toExtraTime(extra)}>
          Create link
        </Button>
      </div>
    </form>
  )
}
