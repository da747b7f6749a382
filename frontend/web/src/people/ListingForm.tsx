import { Alert, Button, Group, Switch, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { api, Refusal, type Schemas, told } from '../api/client'
import { useMe } from '../api/queries'
import { Broken, Loaded } from '../parts/States'
import { listing } from '../standings/queries'
import css from './Person.module.css'

/** On one's own page: whether others see it, and under which name. */
export function ListingForm({ id }: { id: string }) {
  const query = useQuery(listing(id))
  return (
    <section className={css.listing} aria-label="How others see you">
      <Title order={2} fz="1.1rem" mb={4}>
        How others see you
      </Title>
      <Loaded query={query}>{found => <Form id={id} found={found} />}</Loaded>
    </section>
  )
}

function Form({ id, found }: { id: string; found: Schemas['ListingView'] }) {
  const client = useQueryClient()
  const account = useMe()
  const change = useMutation({
    mutationFn: (body: Schemas['ListingView']) => told(api.PUT('/api/me/listing', { body })),
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
  const refused = change.error instanceof Refusal ? change.error.of('name') : undefined
  return (
    <form onSubmit={send}>
      <Text size="sm" c="dimmed" mb="sm">
        Not listed, you have no place on any board, and nobody else can open your profile.
      </Text>
      {change.error && !refused && <Broken error={change.error} />}
      <Group align="end" gap="lg">
        <TextInput
          name="name"
          label="Shown name"
          placeholder={account?.name}
          defaultValue={found.name}
          maxLength={80}
          error={refused}
          w={230}
        />
        <Switch name="listed" label="List me" defaultChecked={found.listed} mb={8} />
        <Button type="submit" variant="default" loading={change.isPending}>
          Save
        </Button>
      </Group>
      {change.isSuccess && (
        <Alert variant="light" color="green" mt="sm" role="status" p="xs">
          Saved. {change.data.listed ? 'Others see you.' : 'Others no longer see you.'}
        </Alert>
      )}
    </form>
  )
}
