import { Anchor, Select, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Link, useSearchParams } from 'react-router'
import { api, type Schemas, told } from '../api/client'
import { Pages } from '../parts/Pages'
import css from './Desk.module.css'
import { usePages } from './data'
import { when } from './format'
import { Part } from './Parts'

type Entry = Schemas['AuditView']
const ACTIONS: Record<Entry['action'], string> = {
  'submission.rejudge': 'had a submission judged again',
  'submission.cancel': 'cancelled a submission',
  'submission.read_source': 'read a submission',
  'challenge.rejudge': 'had a challenge judged again',
  'challenge.stop_rejudge': 'stopped a rejudge',
  'own.rejudge': 'began a rejudge in a team',
  'own.apply_rejudge': 'applied a rejudge in a team',
  'own.drop_rejudge': 'dropped a rejudge in a team',
  'catalogue.reload': 'read the catalogue again',
  'account.role': 'changed a role',
  'account.ban': 'closed an account',
  'account.unban': 'opened an account again',
  'account.sign_out': 'signed somebody out',
  'report.answer': 'answered a report',
  'node.drain': 'drained a node',
  'node.undrain': 'put a node back into service',
  'node.token': 'made a token for a node',
  'node.revoke': 'revoked the token of a node',
}
const CHOICES = Object.entries(ACTIONS).map(([value, label]) => ({ value, label }))

export function Audit() {
  const [params, setParams] = useSearchParams()
  const asked = params.get('action') ?? ''
  const action = asked in ACTIONS ? (asked as Entry['action']) : null
  const thing = params.get('thing') ?? ''
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(params)
    if (value) next.set(name, value)
    else next.delete(name)
    setParams(next, { replace: true })
  }
  const find = useDebouncedCallback((value: string) => set('thing', value.trim()), 300)
  const query = usePages(['audit', action ?? '', thing], cursor =>
    told(
      api.GET('/api/admin/audit', { params: { query: { thing, cursor, ...(action ? { action } : {}) } } }),
    ),
  )
  return (
    <Part
      title="Audit log"
      told="What admins did, newest first. Entries are written with the deed and outlive accounts."
    >
      <div className={css.filters}>
        <Select
          label="Deed"
          placeholder="All"
          data={CHOICES}
          value={action}
          onChange={value => set('action', value ?? '')}
          clearable
          searchable
          w={260}
        />
        <TextInput
          label="Id of what it was done to"
          defaultValue={thing}
          maxLength={100}
          onChange={event => find(event.currentTarget.value)}
          w={320}
          maw="100%"
        />
      </div>
      <Pages query={query} empty="Nothing on record.">
        {items => (
          <Table.ScrollContainer minWidth={680}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>When</Table.Th>
                  <Table.Th>Who</Table.Th>
                  <Table.Th>Did what</Table.Th>
                  <Table.Th>To what</Table.Th>
                  <Table.Th>From</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map(item => (
                  <Row key={item.id} item={item} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Pages>
    </Part>
  )
}

function Row({ item }: { item: Entry }) {
  const detail = Object.entries(item.detail).map(([name, value]) => `${name}: ${value}`)
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{when(item.created_at)}</Table.Td>
      <Table.Td>
        {item.actor_name ? (
          <Anchor component={Link} to={`/admin/accounts/${item.actor_id}`} size="sm">
            {item.actor_name}
          </Anchor>
        ) : (
          'an account that is gone'
        )}
      </Table.Td>
      <Table.Td>
        {ACTIONS[item.action]}
        {detail.length > 0 && (
          <Text size="xs" c="dimmed" maw={280} style={{ overflowWrap: 'anywhere' }}>
            {detail.join(' · ')}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {item.object_kind === 'account' ? (
          <Anchor component={Link} to={`/admin/accounts/${item.object_id}`} ff="monospace" size="xs">
            {item.object_id}
          </Anchor>
        ) : (
          <Text ff="monospace" size="xs">
            {item.object_id}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{item.address}</Table.Td>
    </Table.Tr>
  )
}
