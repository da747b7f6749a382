import { Anchor, Checkbox, Select, Table, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Link, useSearchParams } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { formatOptionalDateTime } from '@/shared/format/numbers'
import { PagedList } from '@/shared/ui/PagedList'
import { StatusBadge } from '@/shared/ui/StatusBadge'
import css from './Admin.module.css'
import { AdminPart } from './AdminSection'
import { useAdminPages } from './requests'

type Role = Schemas['AccountRow']['role']
const ROLES = [
  { value: 'account', label: 'Regular accounts' },
  { value: 'admin', label: 'Admins' },
  { value: 'guest', label: 'Guests' },
]

export function Accounts() {
  const [params, setParams] = useSearchParams()
  const q = params.get('q') ?? ''
  const role = ROLES.find(each => each.value === params.get('role'))?.value as Role | undefined
  const banned = params.has('banned')
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(params)
    if (value) next.set(name, value)
    else next.delete(name)
    setParams(next, { replace: true })
  }
  const search = useDebouncedCallback((value: string) => set('q', value), 250)
  const query = useAdminPages(['accounts', q, role ?? '', String(banned)], cursor =>
    unwrap(
      api.GET('/api/admin/accounts', {
        params: { query: { q, banned, cursor, ...(role ? { role } : {}) } },
      }),
    ),
  )
  return (
    <AdminPart
      title="Accounts"
      description="Newest first. Open an account to see its details, change its role or ban it."
    >
      <div className={css.filters}>
        <TextInput
          label="Email or name"
          type="search"
          defaultValue={q}
          maxLength={254}
          onChange={event => search(event.currentTarget.value)}
          w={260}
        />
        <Select
          label="Role"
          placeholder="Everyone except guests"
          data={ROLES}
          value={role ?? null}
          onChange={value => set('role', value ?? '')}
          clearable
          w={230}
        />
        <Checkbox
          label="Banned only"
          checked={banned}
          onChange={event => set('banned', event.currentTarget.checked ? '1' : '')}
          mb={8}
        />
      </div>
      <PagedList query={query} empty="No accounts match.">
        {items => (
          <Table.ScrollContainer minWidth={560}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Email</Table.Th>
                  <Table.Th>Role</Table.Th>
                  <Table.Th>Created</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map(item => (
                  <Table.Tr key={item.id}>
                    <Table.Td maw={220}>
                      <Anchor
                        component={Link}
                        to={`/admin/accounts/${item.id}`}
                        size="sm"
                        truncate
                        display="block"
                      >
                        {item.name}
                      </Anchor>
                    </Table.Td>
                    <Table.Td>{item.email || '–'}</Table.Td>
                    <Table.Td>
                      {item.role} {item.ban !== null && <StatusBadge state="banned">Banned</StatusBadge>}
                    </Table.Td>
                    <Table.Td>{formatOptionalDateTime(item.created_at)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </PagedList>
    </AdminPart>
  )
}
