import { Box, Button, Checkbox, Group, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '@/api/client'
import { formatOptionalDateTime } from '@/shared/format/numbers'
import { ConfirmButton } from '@/shared/forms/ConfirmButton'
import { Secret } from '@/shared/forms/Secret'
import { SmallForm } from '@/shared/forms/SmallForm'
import { Loaded } from '@/shared/ui/QueryStates'
import css from '../Admin.module.css'
import { AdminSection } from '../AdminSection'
import { nodeTokens, useAdminMutation } from '../requests'

/** Tokens of grader nodes on other machines. */
export function NodeTokens() {
  return (
    <AdminSection title="Nodes on other machines">
      <Loaded query={useQuery(nodeTokens)}>
        {found =>
          found.url === null ? (
            <Text size="sm" c="dimmed" maw="44rem">
              No NATS server is configured, so all nodes run on this machine. The runbook explains how to add
              nodes on other machines.
            </Text>
          ) : (
            <Joining found={found} />
          )
        }
      </Loaded>
    </AdminSection>
  )
}

function Joining({ found }: { found: Schemas['NodeTokenList'] }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm" maw="44rem">
        To add a node, create a token and run the command shown with it on the machine. The machine needs
        outbound access to {found.url}, but no inbound access and no database.
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
  const make = useAdminMutation(({ name, elastic }: { name: string; elastic: boolean }) =>
    unwrap(api.PUT('/api/admin/node-tokens/{name}', { params: { path: { name }, query: { elastic } } })),
  )
  if (!open)
    return (
      <>
        <Button size="xs" onClick={() => setOpen(true)}>
          Create token
        </Button>
        {make.data && <Secret secret={make.data.command} />}
      </>
    )
  return (
    <SmallForm
      error={make.error}
      busy={make.isPending}
      button="Create token"
      cancel={() => setOpen(false)}
      send={form =>
        make.mutate(
          { name: String(form.get('name')), elastic: form.get('elastic') !== null },
          { onSuccess: () => setOpen(false) },
        )
      }
    >
      <TextInput
        name="name"
        label="Node name"
        description="Lowercase letters, digits and hyphens. An earlier token for this node stops working."
        placeholder="cpu-1"
        required
        maxLength={40}
        pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
        maw="24rem"
      />
      <Checkbox
        name="elastic"
        label="Elastic node"
        description="Part of an autoscaling group. No alert is sent when it is offline."
      />
    </SmallForm>
  )
}

function One({ token }: { token: Schemas['NodeToken'] }) {
  const params = { path: { name: token.name } }
  const revoke = useAdminMutation(() => unwrap(api.DELETE('/api/admin/node-tokens/{name}', { params })))
  return (
    <div className={css.card}>
      <Group className={css.head}>
        <Text fw={600}>{token.name}</Text>
        <Text size="sm" c="dimmed" flex="1 1 14rem">
          {token.joined_at ? `last joined ${formatOptionalDateTime(token.joined_at)}` : 'never joined'} ·
          created {formatOptionalDateTime(token.created_at)}
          {token.elastic && ' · elastic'}
        </Text>
        <ConfirmButton
          label="Revoke"
          title={`Revoke the token for ${token.name}?`}
          grave
          act={() => revoke.mutateAsync(undefined)}
        >
          <Text size="sm">The node is disconnected immediately. Other nodes take over its jobs.</Text>
        </ConfirmButton>
      </Group>
    </div>
  )
}
