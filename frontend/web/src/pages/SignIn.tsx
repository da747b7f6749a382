import { Alert, Button, Container, PasswordInput, Tabs, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { api, Refusal, type Schemas, told } from '../api/client'
import { useSigning } from '../api/queries'
import { useTitle } from '../parts/title'

type Account = Schemas['AccountView']
const field = (form: FormData, name: string) => String(form.get(name) ?? '')

const signIn = (form: FormData): Promise<Account> =>
  told(api.POST('/api/session', { body: { email: field(form, 'email'), password: field(form, 'password') } }))

const register = (form: FormData): Promise<Account> =>
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
    <Container size={420} py={72}>
      <Title order={1} mb="lg">
        {tab === 'new' ? 'Make an account' : 'Welcome back'}
      </Title>
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
    </Container>
  )
}

function Form(props: {
  act: (form: FormData) => Promise<Account>
  then: string
  button: string
  fresh?: boolean
}) {
  const go = useNavigate()
  const signing = useSigning(props.act)
  const refusal = signing.error instanceof Refusal ? signing.error : null
  const named = refusal?.fields.length ? undefined : signing.error?.message
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    signing.mutate(new FormData(event.currentTarget), { onSuccess: () => go(props.then) })
  }
  return (
    <form onSubmit={send}>
      {named && (
        <Alert color="red" variant="light" mb="md" role="alert">
          {named}
        </Alert>
      )}
      {props.fresh && (
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
        required
        mb="md"
        error={refusal?.of('email')}
      />
      <PasswordInput
        name="password"
        label="Password"
        description={props.fresh ? 'Ten characters at least' : undefined}
        autoComplete={props.fresh ? 'new-password' : 'current-password'}
        minLength={props.fresh ? 10 : undefined}
        required
        mb="lg"
        error={refusal?.of('password')}
      />
      <Button type="submit" fullWidth loading={signing.isPending}>
        {props.button}
      </Button>
    </form>
  )
}
