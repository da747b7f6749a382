import { Box, Button, Group, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SmallForm } from '../account/Form'
import { api, type Schemas, told } from '../api/client'
import { Once } from '../connections/Once'
import { Loaded } from '../parts/States'
import css from './Desk.module.css'
import { nodeTokens, useDeed } from './data'
import { when } from './format'
import { Section, Sure } from './Parts'

/** Who may judge for this service from another machine. */
export function Tokens() {
  return (
    <Section title="Nodes on other machines">
      <Loaded query={useQuery(nodeTokens)}>
        {found =>
          found.url === null ? (
            <Text size="sm" c="dimmed" maw="44rem">
              This service has no NATS server, so every node runs beside it. The runbook says how to add one.
            </Text>
          ) : (
            <Joining found={found} />
          )
        }
      </Loaded>
    </Section>
  )
}

function Joining({ found }: { found: Schemas['NodeTokenList'] }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm" maw="44rem">
        A machine joins with one command and one token. It needs a way out to {found.url}, no way in, and no
        database.
      </Text>
      <Box mb="md">
        <Make />
      </Box>
      {found.items.length === 0 && <Text size="sm">No tokens yet.</Text>}
      {found.items.map(token => (
        <One key={token.name} token={token} />
      ))}
    </>
  )
}

function Make() {
  const [open, setOpen] = useState(false)
  const make = useDeed((name: string) =>
    told(api.PUT('/api/admin/node-tokens/{name}', { params: { path: { name } } })),
  )
  if (!open)
    return (
      <>
        <Button size="xs" onClick={() => setOpen(true)}>
          Make a token
        </Button>
        {make.data && <Once secret={make.data.command} />}
      </>
    )
  return (
    <SmallForm
      error={make.error}
      busy={make.isPending}
      button="Make it"
      cancel={() => setOpen(false)}
      send={form => make.mutate(String(form.get('name')), { onSuccess: () => setOpen(false) })}
    >
      <TextInput
        name="name"
        label="The node’s name"
        description="Lower-case letters, digits and hyphens. A token that this node had before stops working."
        placeholder="cpu-1"
        required
        maxLength={40}
        pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
        maw="24rem"
      />
    </SmallForm>
  )
}

function One({ token }: { token: Schemas['NodeToken'] }) {
  const params = { path: { name: token.name } }
  const revoke = useDeed(() => told(api.DELETE('/api/admin/node-tokens/{name}', { params })))
  return (
    <div className={css.card}>
      <Group className={css.head}>
        <Text fw={600}>{token.name}</Text>
        <Text size="sm" c="dimmed" flex="1 1 14rem">
          {token.joined_at ? `last joined ${when(token.joined_at)}` : 'never joined'} · made{' '}
          {when(token.created_at)}
        </Text>
        <Sure
          label="Revoke"
          title={`Shut ${token.name} out?`}
          grave
          act={() => revoke.mutateAsync(undefined)}
        >
          <Text size="sm">It is cut off at once. What it judges is judged by another node.</Text>
        </Sure>
      </Group>
    </div>
  )
}
