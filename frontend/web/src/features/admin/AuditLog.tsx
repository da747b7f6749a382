import { Anchor, Select, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Link, useSearchParams } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { formatOptionalDateTime } from '@/shared/format/numbers'
import { PagedList } from '@/shared/ui/PagedList'
import css from './Admin.module.css'
import { AdminPart } from './AdminSection'
import { useAdminPages } from './requests'

type Entry = Schemas['AuditView']
const ACTIONS: Record<Entry['action'], string> = {
  'submission.rejudge': 'rejudged a submission',
  'submission.cancel': 'cancelled a submission',
  'submission.read_source': 'viewed the code of a submission',
  'challenge.rejudge': 'started a rejudge',
  'challenge.stop_rejudge': 'stopped a rejudge',
  'own.rejudge': 'started a rejudge in a team',
  'own.apply_rejudge': 'applied a rejudge in a team',
  'own.drop_rejudge': 'discarded a rejudge in a team',
  'catalogue.reload': 'reloaded the catalogue',
  'account.role': 'changed a role',
  'account.ban': 'banned an account',
  'account.unban': 'unbanned an account',
  'account.sign_out': 'signed out an account',
  'report.answer': 'answered a report',
  'comment.hide': 'hid a comment',
  'comment.restore': 'restored a comment',
  'shared.hide': 'hid a shared answer',
  'shared.restore': 'restored a shared answer',
  'measurement.accept': 'accepted a measurement',
  'measurement.withdraw': 'withdrew a measured answer',
  'node.drain': 'drained a node',
  'node.undrain': 'returned a node to service',
  'node.token': 'created a node token',
  'node.revoke': 'revoked a node token',
}
const CHOICES = Object.entries(ACTIONS).map(([value, label]) => ({ value, label }))

export function AuditLog() {
  const [params, setParams] = useSearchParams()
  const wanted = params.get('action') ?? ''
  const action = wanted in ACTIONS ? (wanted as Entry['action']) : null
  const thing = params.get('thing') ?? ''
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(params)
    if (value) next.set(name, value)
    else next.delete(name)
    setParams(next, { replace: true })
  }
  const find = useDebouncedCallback((value: string) => set('thing', value.trim()), 300)
  const query = useAdminPages(['audit', action ?? '', thing], cursor =>
    unwrap(
      api.GET('/api/admin/audit', { params: { query: { thing, cursor, ...(action ? { action } : {}) } } }),
    ),
  )
  return (
    <AdminPart
      title="Audit log"
      description="What admins did, newest first. Entries are kept when an account is deleted."
    >
      <div className={css.filters}>
        <Select
          label="Action"
          placeholder="All"
          data={CHOICES}
          value={action}
          onChange={value => set('action', value ?? '')}
          clearable
          searchable
          w={260}
        />
        <TextInput
          label="Target ID"
          defaultValue={thing}
          maxLength={100}
          onChange={event => find(event.currentTarget.value)}
          w={320}
          maw="100%"
        />
      </div>
      <PagedList query={query} empty="No entries yet.">
        {items => (
          <Table.ScrollContainer minWidth={680}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Time</Table.Th>
                  <Table.Th>Admin</Table.Th>
                  <Table.Th>Action</Table.Th>
                  <Table.Th>Target</Table.Th>
                  <Table.Th>IP address</Table.Th>
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
      </PagedList>
    </AdminPart>
  )
}

function Row({ item }: { item: Entry }) {
  const detail = Object.entries(item.detail).map(([name, value]) => `${name}: ${value}`)
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatOptionalDateTime(item.created_at)}</Table.Td>
      <Table.Td>
        {item.actor_name ? (
          <Anchor component={Link} to={`/admin/accounts/${item.actor_id}`} size="sm">
            {item.actor_name}
          </Anchor>
        ) : (
          'deleted account'
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
