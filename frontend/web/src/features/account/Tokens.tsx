import { Alert, Button, Code, CopyButton, Group, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { api, unwrap } from '@/api/client'
import { tokens } from '@/api/queries'
import { formatDateTime } from '@/shared/format/dates'
import { Row } from '@/shared/forms/Section'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'

/** API tokens for programs. */
export function Tokens() {
  const client = useQueryClient()
  const again = () => client.invalidateQueries({ queryKey: tokens.queryKey })
  const make = useMutation({
    mutationFn: (name: string) => unwrap(api.POST('/api/me/tokens', { body: { name } })),
    onSuccess: again,
  })
  const revoke = useMutation({
    mutationFn: (id: string) =>
      unwrap(api.DELETE('/api/me/tokens/{token_id}', { params: { path: { token_id: id } } })),
    onSuccess: again,
  })
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    make.mutate(String(new FormData(event.currentTarget).get('name')))
    event.currentTarget.reset()
  }
  const error = make.error ?? revoke.error
  return (
    <>
      <Row
        label="New token"
        hint="For programs, such as the terminal client, a notebook or a script. A token cannot change your password or create other tokens."
      >
        <form onSubmit={send}>
          <Group align="end" gap="sm">
            <TextInput
              name="name"
              label="Name"
              placeholder="laptop"
              required
              maxLength={80}
              style={{ flex: '1 1 12rem' }}
            />
            <Button type="submit" variant="default" loading={make.isPending}>
              {' '}
              Create token{' '}
            </Button>
          </Group>
        </form>
        {make.data && (
          <Alert
            variant="light"
            color="marigold"
            mt="md"
            title="Copy it now. It is shown only once."
            role="status"
          >
            <Group gap="sm">
              <Code style={{ overflowWrap: 'anywhere' }}>{make.data.token}</Code>
              <CopyButton value={make.data.token}>
                {({ copied, copy }) => (
                  <Button size="xs" variant="default" onClick={copy}>
                    {copied ? 'Copied' : 'Copy'}
                  </Button>
                )}
              </CopyButton>
            </Group>
          </Alert>
        )}
        {error && <ErrorMessage error={error} />}
      </Row>
      <Loaded query={useQuery(tokens)}>
        {items =>
          items.map(each => (
            <Row
              key={each.id}
              label={
                <>
                  {each.name}
                  <Text span ff="monospace" size="sm" c="dimmed">
                    {each.hint}
                  </Text>
                </>
              }
              hint={each.last_used_at ? `Last used ${formatDateTime(each.last_used_at)}` : 'Never used'}
              action={
                <Button
                  size="xs"
                  variant="subtle"
                  color="red"
                  loading={revoke.isPending && revoke.variables === each.id}
                  onClick={() => revoke.mutate(each.id)}
                >
                  Revoke
                </Button>
              }
            />
          ))
        }
      </Loaded>
    </>
  )
}
