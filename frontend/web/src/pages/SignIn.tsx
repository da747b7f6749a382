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
import { OnItsWay } from '../account/Letter'
import { trouble, useProvider } from '../account/providers'
import { api, Refusal, type Schemas, told } from '../api/client'
import { providers, useSigned } from '../api/queries'
import { useTitle } from '../parts/title'

type Entered = Schemas['AccountView'] | Schemas['LetterSent']
const field = (form: FormData, name: string) => String(form.get(name) ?? '')

const signIn = (form: FormData): Promise<Entered> =>
  told(api.POST('/api/session', { body: { email: field(form, 'email'), password: field(form, 'password') } }))

const register = (form: FormData): Promise<Entered> =>
  told(
    api.POST('/api/accounts', {
      body: { email: field(form, 'email'), password: field(form, 'password'), name: field(form, 'name') },
    }),
  )

/** Only addresses of this site are gone back to. */
const safe = (then: string | null) => (then && /^\/(?![/\\])/.test(then) ? then : '/catalogue')

export function Component() {
  const [params] = useSearchParams()
  const [tab, setTab] = useState<string | null>(params.get('new') ? 'new' : 'in')
  useTitle(tab === 'new' ? 'New account' : 'Sign in')
  const then = safe(params.get('then'))
  return (
    <Container size={420} py={{ base: 40, sm: 72 }}>
      <Title order={1} mb="lg">
        {tab === 'new' ? 'Make an account' : 'Welcome back'}
      </Title>
      <Trouble />
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List grow mb="lg">
          <Tabs.Tab value="in">Sign in</Tabs.Tab>
          <Tabs.Tab value="new">New account</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="in">
          <Form act={signIn} then={then} button="Sign in" />
        </Tabs.Panel>
        <Tabs.Panel value="new">
          <Form act={register} then={then} button="Make the account" fresh />
        </Tabs.Panel>
      </Tabs>
      <Providers then={then} />
    </Container>
  )
}

/** Why somebody came back from a provider without being signed in. */
function Trouble() {
  const [params] = useSearchParams()
  const { data = [] } = useQuery(providers)
  const name = data.find(each => each.id === params.get('provider'))?.name ?? 'the provider'
  const sentence = trouble(params.get('trouble'), name)
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
  // Whoever was written to comes from there.
  const { state } = useLocation()
  const signed = useSigned()
  const entering = useMutation({
    mutationFn: act,
    onSuccess: entered => {
      if (!('role' in entered)) return
      signed(entered)
      go(then)
    },
  })
  const refusal = entering.error instanceof Refusal ? entering.error : null
  const named = refusal?.fields.length ? undefined : entering.error?.message
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    entering.mutate(new FormData(event.currentTarget))
  }
  if (entering.data && !('role' in entering.data))
    return (
      <OnItsWay sent={entering.data}>
        A letter is on its way to {entering.data.email}. Its link makes the account; until then you can go on
        as a guest, and what you do is kept.
      </OnItsWay>
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
          description="As others may see it"
          autoComplete="name"
          required
          mb="md"
          error={refusal?.of('name')}
        />
      )}
      <TextInput
        name="email"
        type="email"
        label="E-mail"
        autoComplete="email"
        defaultValue={state?.email}
        required
        mb="md"
        error={refusal?.of('email')}
      />
      <PasswordInput
        name="password"
        label="Password"
        description={fresh ? 'Ten characters at least' : undefined}
        autoComplete={fresh ? 'new-password' : 'current-password'}
        minLength={fresh ? 10 : undefined}
        required
        mb="lg"
        error={refusal?.of('password')}
      />
      <Button type="submit" fullWidth loading={entering.isPending}>
        {button}
      </Button>
      {!fresh && (
        <Anchor component={Link} to="/reset" size="sm" display="block" mt="md" ta="center">
          Forgot the password?
        </Anchor>
      )}
    </form>
  )
}
