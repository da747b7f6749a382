import {
  Alert,
  Button,
  Code,
  Container,
  CopyButton,
  Group,
  PasswordInput,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link } from 'react-router'
import { api, told } from '../api/client'
import { me, sessions, tokens } from '../api/queries'
import { Broken, Loaded } from '../parts/States'
import { useTitle } from '../parts/title'

const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export function Component() {
  useTitle('Account')
  const query = useQuery(me)
  return (
    <Container size="md" py="xl">
      <Loaded page query={query}>
        {account =>
          account && account.role !== 'guest' ? (
            <>
              <Title order={1}>{account.name}</Title>
              <Text c="dimmed">{account.email}</Text>
              <Tokens />
              <Password />
              <Sessions />
            </>
          ) : (
            <>
              <Title order={1}>Account</Title>
              <Text mt="md">
                <Link to="/sign-in?then=/account">Sign in</Link> first.
              </Text>
            </>
          )
        }
      </Loaded>
    </Container>
  )
}

function Part({ title, told: text, children }: { title: string; told: string; children: React.ReactNode }) {
  return (
    <section style={{ marginTop: '2.5rem' }}>
      <Title order={2} fz="1.3rem">
        {title}
      </Title>
      <Text c="dimmed" size="sm" mb="md">
        {text}
      </Text>
      {children}
    </section>
  )
}

function Tokens() {
  const client = useQueryClient()
  const again = () => client.invalidateQueries({ queryKey: tokens.queryKey })
  const make = useMutation({
    mutationFn: (name: string) => told(api.POST('/api/me/tokens', { body: { name } })),
    onSuccess: again,
  })
  const revoke = useMutation({
    mutationFn: (id: string) =>
      told(api.DELETE('/api/me/tokens/{token_id}', { params: { path: { token_id: id } } })),
    onSuccess: again,
  })
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    make.mutate(String(new FormData(event.currentTarget).get('name')))
    event.currentTarget.reset()
  }
  return (
    <Part
      title="API tokens"
      told="For programs: they send it as a Bearer token. A token cannot change your password or make others."
    >
      {make.error && <Broken error={make.error} />}
      {make.data && (
        <Alert variant="light" color="marigold" mb="md" title="Copy it now: it is shown this once">
          <Group>
            <Code>{make.data.token}</Code>
            <CopyButton value={make.data.token}>
              {({ copied, copy }) => (
                <Button size="compact-sm" variant="default" onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              )}
            </CopyButton>
          </Group>
        </Alert>
      )}
      <form onSubmit={send}>
        <Group align="end" mb="md">
          <TextInput name="name" label="Name" placeholder="laptop" required maxLength={80} />
          <Button type="submit" variant="default" loading={make.isPending}>
            Make a token
          </Button>
        </Group>
      </form>
      <Loaded query={useQuery(tokens)}>
        {items => (
          <Table>
            <Table.Tbody>
              {items.map(each => (
                <Table.Tr key={each.id}>
                  <Table.Td>{each.name}</Table.Td>
                  <Table.Td>
                    <Code>{each.hint}…</Code>
                  </Table.Td>
                  <Table.Td>
                    {each.last_used_at ? `used ${when.format(new Date(each.last_used_at))}` : 'never used'}
                  </Table.Td>
                  <Table.Td ta="right">
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      color="red"
                      onClick={() => revoke.mutate(each.id)}
                    >
                      Revoke
                    </Button>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Loaded>
    </Part>
  )
}

function Password() {
  const change = useMutation({
    mutationFn: (body: { current: string; password: string; revoke_tokens: boolean }) =>
      told(api.POST('/api/me/password', { body })),
  })
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    change.mutate({
      current: String(form.get('current')),
      password: String(form.get('password')),
      revoke_tokens: false,
    })
    event.currentTarget.reset()
  }
  return (
    <Part title="Password" told="Changing it ends every other session.">
      {change.error && <Broken error={change.error} />}
      {change.isSuccess && (
        <Alert variant="light" color="green" mb="md" role="status">
          It is changed.
        </Alert>
      )}
      <form onSubmit={send}>
        <Group align="end">
          <PasswordInput
            name="current"
            label="Present password"
            autoComplete="current-password"
            required
            w={230}
          />
          <PasswordInput
            name="password"
            label="New password"
            autoComplete="new-password"
            required
            minLength={10}
            w={230}
          />
          <Button type="submit" variant="default" loading={change.isPending}>
            Change it
          </Button>
        </Group>
      </form>
    </Part>
  )
}

function Sessions() {
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: (id: string) =>
      told(api.DELETE('/api/me/sessions/{session_id}', { params: { path: { session_id: id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: sessions.queryKey }),
  })
  return (
    <Part title="Sessions" told="The browsers in which you are signed in.">
      <Loaded query={useQuery(sessions)}>
        {items => (
          <Table.ScrollContainer minWidth={480}>
            <Table>
              <Table.Tbody>
                {items.map(each => (
                  <Table.Tr key={each.id}>
                    <Table.Td maw={320}>
                      <Text size="sm" truncate>
                        {each.agent || 'unknown'}
                      </Text>
                    </Table.Td>
                    <Table.Td>{each.address}</Table.Td>
                    <Table.Td>{when.format(new Date(each.last_used_at))}</Table.Td>
                    <Table.Td ta="right">
                      {each.current ? (
                        <Text size="sm" c="dimmed">
                          this one
                        </Text>
                      ) : (
                        <Button
                          size="compact-xs"
                          variant="subtle"
                          color="red"
                          onClick={() => end.mutate(each.id)}
                        >
                          End it
                        </Button>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Loaded>
    </Part>
  )
}
