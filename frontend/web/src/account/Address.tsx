import { Badge, Button, PasswordInput, Text, TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, told } from '../api/client'
import { at, SmallForm } from './Form'
import { OnItsWay } from './Letter'
import { Row } from './Section'

type Account = Schemas['AccountView']

/** The e-mail address: whether it is verified, and moving to another. */
export function Address({ account }: { account: Account }) {
  const [open, setOpen] = useState(false)
  const verify = useMutation({ mutationFn: () => told(api.POST('/api/me/email/letter')) })
  const move = useMutation({
    mutationFn: (form: FormData) =>
      told(
        api.POST('/api/me/email', {
          body: { email: String(form.get('email')), password: String(form.get('password') ?? '') },
        }),
      ),
    onSuccess: () => setOpen(false),
  })
  const sent = move.data ?? verify.data
  return (
    <Row
      label={
        <>
          {account.email}
          <Verified account={account} />
        </>
      }
      hint={
        account.email_verified
          ? 'You sign in with it, and letters go there.'
          : 'Until it is verified you can do everything all the same. Verified, it is sure to be yours when you forget the password.'
      }
      action={
        <>
          {!account.email_verified && !verify.data && (
            <Button variant="light" size="xs" loading={verify.isPending} onClick={() => verify.mutate()}>
              Verify it
            </Button>
          )}
          <Button variant="default" size="xs" aria-expanded={open} onClick={() => setOpen(!open)}>
            Change the address
          </Button>
        </>
      }
    >
      {open ? (
        <SmallForm
          error={move.error}
          busy={move.isPending}
          button="Send the letter"
          send={move.mutate}
          cancel={() => setOpen(false)}
        >
          <TextInput
            name="email"
            type="email"
            label="New address"
            autoComplete="email"
            required
            error={at(move.error, 'email')}
          />
          {account.has_password && (
            <PasswordInput name="password" label="Password" autoComplete="current-password" required />
          )}
        </SmallForm>
      ) : sent ? (
        <OnItsWay sent={sent}>
          A letter is on its way to {sent.email}.{' '}
          {move.data
            ? 'The address changes when you follow its link.'
            : 'Follow its link, and the address is verified.'}
        </OnItsWay>
      ) : verify.error ? (
        <Text size="sm" c="var(--g-bad)" role="alert">
          {verify.error.message}
        </Text>
      ) : null}
    </Row>
  )
}

function Verified({ account }: { account: Account }) {
  return account.email_verified ? (
    <Badge variant="light" color="green" c="var(--g-good)" tt="none" leftSection={<IconCheck size={13} />}>
      verified
    </Badge>
  ) : (
    <Badge variant="light" color="marigold" tt="none">
      not verified yet
    </Badge>
  )
}
