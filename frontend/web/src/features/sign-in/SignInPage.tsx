import {
  Alert,
  Anchor,
  Button,
  Container,
  Divider,
  PasswordInput,
  Stack,
  Tabs,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import { providers, useSignedIn } from '@/api/queries'
import { useTitle } from '@/shared/hooks/useTitle'
import { MailSent } from './MailSent'
import { providerError, useProvider } from './providers'

type Entered = Schemas['AccountView'] | Schemas['LetterSent']
const field = (form: FormData, name: string) => String(form.get(name) ?? '')

const signIn = (form: FormData): Promise<Entered> =>
  unwrap(
    api.POST('/api/session', { body: { email: field(form, 'email'), password: field(form, 'password') } }),
  )

const register = (form: FormData): Promise<Entered> =>
  unwrap(
    api.POST('/api/accounts', {
      body: { email: field(form, 'email'), password: field(form, 'password'), name: field(form, 'name') },
    }),
  )

/** Only redirects within this site are allowed. */
const safe = (then: string | null) => (then && /^\/(?![/\\])/.test(then) ? then : '/start')

export function Component() {
  const [params] = useSearchParams()
  const [tab, setTab] = useState<string | null>(params.get('new') ? 'new' : 'in')
  useTitle(tab === 'new' ? 'Create account' : 'Sign in')
  const then = safe(params.get('then'))
  return (
    <Container size={420} py={{ base: 40, sm: 72 }}>
      <Title order={1} mb="lg">
        {tab === 'new' ? 'Create account' : 'Welcome back'}
      </Title>
      <Trouble />
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List grow mb="lg">
          <Tabs.Tab value="in">Sign in</Tabs.Tab>
          <Tabs.Tab value="new">Create account</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="in">
          <Form act={signIn} then={then} button="Sign in" />
        </Tabs.Panel>
        <Tabs.Panel value="new">
          <Form act={register} then={then} button="Create account" fresh />
        </Tabs.Panel>
      </Tabs>
      <Providers then={then} />
    </Container>
  )
}

/** Why signing in through a provider failed. */
function Trouble() {
  const [params] = useSearchParams()
  const { data = [] } = useQuery(providers)
  const name = data.find(each => each.id === params.get('provider'))?.name ?? 'the sign-in provider'
  const sentence = providerError(params.get('trouble'), name)
  return sentence ? (
    <Alert color="marigold" variant="light" mb="lg" role="alert">
      {sentence}
    </Alert>
  ) : null
}

function Providers({ then }: { then: string }) {
  const { data = [] } = useQuery(providers)
  const go = useProvider()
  if (data.length === 0) return null
  return (
    <Stack gap="sm" mt="xl">
      <Divider label="or" labelPosition="center" />
      {go.error && (
        <Alert color="red" variant="light" role="alert">
          {go.error.message}
        </Alert>
      )}
      {data.map(each => (
        <Button
          key={each.id}
          variant="default"
          loading={go.isPending && go.variables.id === each.id}
          onClick={() => go.mutate({ id: each.id, back: then })}
        >
          Continue with {each.name}
        </Button>
      ))}
    </Stack>
  )
}

interface Props {
  act: (form: FormData) => Promise<Entered>
  then: string
  button: string
  fresh?: boolean
}

function Form({ act, then, button, fresh }: Props) {
  const go = useNavigate()
  // The address that an email was sent to, passed on by the page that sent it.
  const { state } = useLocation()
  const signed = useSignedIn()
  const entering = useMutation({
    mutationFn: act,
    onSuccess: entered => {
      if (!('role' in entered)) return
      signed(entered)
      go(then)
    },
  })
  const refusal = entering.error instanceof ApiError ? entering.error : null
  const named = refusal?.fields.length ? undefined : entering.error?.message
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    entering.mutate(new FormData(event.currentTarget))
  }
  if (entering.data && !('role' in entering.data))
    return (
      <MailSent sent={entering.data}>
        We sent an email to {entering.data.email}. Open the link in it to create your account. Until then, you
        can continue as a guest, and your work is saved.
      </MailSent>
    )
  return (
    <form onSubmit={send}>
      {named && (
        <Alert color="red" variant="light" mb="md" role="alert">
          {named}
        </Alert>
      )}
      {fresh && (
        <TextInput
          name="name"
          label="Name"
          description="Others may see this name"
          autoComplete="name"
          required
          maxLength={80}
          mb="md"
          error={refusal?.messageFor('name')}
        />
      )}
      <TextInput
        name="email"
        type="email"
        label="Email"
        autoComplete="email"
        defaultValue={state?.email}
        required
        mb="md"
        error={refusal?.messageFor('email')}
      />
      <PasswordInput
        name="password"
        label="Password"
        description={fresh ? 'At least 10 characters' : undefined}
        autoComplete={fresh ? 'new-password' : 'current-password'}
        minLength={fresh ? 10 : undefined}
        required
        mb="lg"
        error={refusal?.messageFor('password')}
      />
      <Button type="submit" fullWidth loading={entering.isPending}>
        {button}
      </Button>
      {!fresh && (
        <Anchor component={Link} to="/reset" size="sm" display="block" mt="md" ta="center">
          Forgot your password?
        </Anchor>
      )}
    </form>
  )
}
