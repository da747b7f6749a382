import { Badge, Button, PasswordInput, Text, TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '@/api/client'
import { MailSent } from '@/features/sign-in'
import { Row } from '@/shared/forms/Section'
import { fieldError, SmallForm } from '@/shared/forms/SmallForm'

type Account = Schemas['AccountView']

/** Shows the email address and whether it is verified, and changes it. */
export function EmailAddress({ account }: { account: Account }) {
  const [open, setOpen] = useState(false)
  const verify = useMutation({ mutationFn: () => unwrap(api.POST('/api/me/email/letter')) })
  const move = useMutation({
    mutationFn: (form: FormData) =>
      unwrap(
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
          ? 'You sign in with this address, and we send emails to it.'
          : 'You can use everything now, but you need a verified address to reset a forgotten password.'
      }
      action={
        <>
          {!account.email_verified && !verify.data && (
            <Button variant="light" size="xs" loading={verify.isPending} onClick={() => verify.mutate()}>
              Verify
            </Button>
          )}
          <Button variant="default" size="xs" aria-expanded={open} onClick={() => setOpen(!open)}>
            Change email
          </Button>
        </>
      }
    >
      {open ? (
        <SmallForm
          error={move.error}
          busy={move.isPending}
          button="Send email"
          send={move.mutate}
          cancel={() => setOpen(false)}
        >
          <TextInput
            name="email"
            type="email"
            label="New email"
            autoComplete="email"
            required
            error={fieldError(move.error, 'email')}
          />
          {account.has_password && (
            <PasswordInput name="password" label="Password" autoComplete="current-password" required />
          )}
        </SmallForm>
      ) : sent ? (
        <MailSent sent={sent}>
          We sent an email to {sent.email}.{' '}
          {move.data
            ? 'Open the link in it to confirm the change.'
            : 'Open the link in it to verify your address.'}
        </MailSent>
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
      Verified
    </Badge>
  ) : (
    <Badge variant="light" color="marigold" tt="none">
      Not verified
    </Badge>
  )
}
