import { Alert, Button, Checkbox, PasswordInput, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '@/api/client'
import { useSignedIn } from '@/api/queries'
import { MailSent } from '@/features/sign-in'
import { Row } from '@/shared/forms/Section'
import { fieldError, SmallForm } from '@/shared/forms/SmallForm'

type Account = Schemas['AccountView']

/** Changes the password. An account without one sets its first password through a link sent by email. */
export function Password({ account }: { account: Account }) {
  return account.has_password ? <Change /> : <None account={account} />
}

function Change() {
  const [open, setOpen] = useState(false)
  const signed = useSignedIn()
  const change = useMutation({
    mutationFn: (form: FormData) =>
      unwrap(
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
      hint="Changing your password signs you out everywhere else."
      action={
        <Button variant="default" size="xs" aria-expanded={open} onClick={() => setOpen(!open)}>
          Change password
        </Button>
      }
    >
      {open ? (
        <SmallForm
          error={change.error}
          busy={change.isPending}
          button="Change password"
          send={change.mutate}
          cancel={() => setOpen(false)}
        >
          <PasswordInput name="current" label="Current password" autoComplete="current-password" required />
          <PasswordInput
            name="password"
            label="New password"
            description="At least 10 characters"
            autoComplete="new-password"
            required
            minLength={10}
            error={fieldError(change.error, 'password')}
          />
          <Checkbox name="tokens" label="Also revoke my API tokens" />
        </SmallForm>
      ) : change.isSuccess ? (
        <Alert variant="light" color="green" role="status">
          Your password was changed. You were signed out everywhere else.
        </Alert>
      ) : null}
    </Row>
  )
}

function None({ account }: { account: Account }) {
  const ask = useMutation({
    mutationFn: () => unwrap(api.POST('/api/password/forgotten', { body: { email: account.email } })),
  })
  return (
    <Row
      label="Password"
      hint="You have no password, because you sign in through another site."
      action={
        <Button variant="default" size="xs" loading={ask.isPending} onClick={() => ask.mutate()}>
          Set a password
        </Button>
      }
    >
      {ask.data ? (
        <MailSent sent={ask.data}>
          We sent an email to {ask.data.email}. Open the link in it to set a password.
        </MailSent>
      ) : ask.error ? (
        <Text size="sm" c="var(--g-bad)" role="alert">
          {ask.error.message}
        </Text>
      ) : null}
    </Row>
  )
}
