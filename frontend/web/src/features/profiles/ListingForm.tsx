import { Alert, Button, Group, Switch, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import { useMe } from '@/api/queries'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import { listing } from './requests'

/** Settings on the user's own profile: whether others see it, and under which name. */
export function ListingForm({ id }: { id: string }) {
  const query = useQuery(listing(id))
  return (
    <section aria-label="Profile visibility">
      <Title order={2} fz="1.1rem" mb={4}>
        Profile visibility
      </Title>
      <Loaded query={query}>{found => <Form id={id} found={found} />}</Loaded>
    </section>
  )
}

function Form({ id, found }: { id: string; found: Schemas['ListingView'] }) {
  const client = useQueryClient()
  const account = useMe()
  const change = useMutation({
    mutationFn: (body: Schemas['ListingView']) => unwrap(api.PUT('/api/me/listing', { body })),
    onSuccess: async saved => {
      client.setQueryData(listing(id).queryKey, saved)
      await Promise.all(
        [['profile', id], ['leaderboard']].map(queryKey => client.invalidateQueries({ queryKey })),
      )
    },
  })
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    change.mutate({ listed: form.get('listed') !== null, name: String(form.get('name')) })
  }
  const refused = change.error instanceof ApiError ? change.error.messageFor('name') : undefined
  return (
    <form onSubmit={send}>
      <Text size="sm" c="dimmed" mb="sm">
        If your profile is private, you do not appear on leaderboards and no one else can open it.
      </Text>
      {change.error && !refused && <ErrorMessage error={change.error} />}
      <Group align="end" gap="lg">
        <TextInput
          name="name"
          label="Display name"
          placeholder={account?.name}
          defaultValue={found.name}
          maxLength={80}
          error={refused}
          w={230}
        />
        <Switch name="listed" label="Public profile" defaultChecked={found.listed} mb={8} />
        <Button type="submit" variant="default" loading={change.isPending}>
          Save
        </Button>
      </Group>
      {change.isSuccess && (
        <Alert variant="light" color="green" mt="sm" role="status" p="xs">
          Saved. Your profile is {change.data.listed ? 'public' : 'private'}.
        </Alert>
      )}
    </form>
  )
}
