import { Alert, Button, Checkbox, PasswordInput, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, told } from '../api/client'
import { useSigned } from '../api/queries'
import { at, SmallForm } from './Form'
import { OnItsWay } from './Letter'
import { Row } from './Section'

type Account = Schemas['AccountView']

/** The password: changed with the present one, or, where there is none yet, chosen by a letter. */
export function Password({ account }: { account: Account }) {
  return account.has_password ? <Change /> : <None account={account} />
}

function Change() {
  const [open, setOpen] = useState(false)
  const signed = useSigned()
  const change = useMutation({
    mutationFn: (form: FormData) =>
      told(
        api.POST('/api/me/password', {
          body: {
            current: String(form.get('current')),
            password: String(form.get('password')),
            revoke_tokens: form.get('tokens') !== null,
          },
        }),
      ),
    onSuccess: account => {
      signed(account)
      setOpen(false)
    },
  })
  return (
    <Row
      label="Password"
      hint="Changing it ends every other session."
      action={
        <Button variant="default" size="xs" aria-expanded={open} onClick={() => setOpen(!open)}>
          Change the password
        </Button>
      }
    >
      {open ? (
        <SmallForm
          error={change.error}
          busy={change.isPending}
          button="Change it"
          send={change.mutate}
          cancel={() => setOpen(false)}
        >
          <PasswordInput name="current" label="Present password" autoComplete="current-password" required />
          <PasswordInput
            name="password"
            label="New password"
            description="Ten characters at least"
            autoComplete="new-password"
            required
            minLength={10}
            error={at(change.error, 'password')}
          />
          <Checkbox name="tokens" label="Revoke the API tokens too" />
        </SmallForm>
      ) : change.isSuccess ? (
        <Alert variant="light" color="green" role="status">
          Your password is changed, and every other session has ended.
        </Alert>
      ) : null}
    </Row>
  )
}

function None({ account }: { account: Account }) {
  const ask = useMutation({
    mutationFn: () => told(api.POST('/api/password/forgotten', { body: { email: account.email } })),
  })
  return (
    <Row
      label="Password"
      hint="You have none: another site signs you in."
      action={
        <Button variant="default" size="xs" loading={ask.isPending} onClick={() => ask.mutate()}>
          Choose a password
        </Button>
      }
    >
      {ask.data ? (
        <OnItsWay sent={ask.data}>
          A letter is on its way to {ask.data.email}. Choose a password by its link.
        </OnItsWay>
      ) : ask.error ? (
        <Text size="sm" c="var(--g-bad)" role="alert">
          {ask.error.message}
        </Text>
      ) : null}
    </Row>
  )
}
