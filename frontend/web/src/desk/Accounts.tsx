import { Anchor, Checkbox, Select, Table, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Link, useSearchParams } from 'react-router'
import { api, type Schemas, told } from '../api/client'
import { Pages } from '../parts/Pages'
import css from './Desk.module.css'
import { usePages } from './data'
import { when } from './format'
import { Chip, Part } from './Parts'

type Role = Schemas['AccountRow']['role']
const ROLES = [
  { value: 'account', label: 'Accounts' },
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
  const query = usePages(['accounts', q, role ?? '', String(banned)], cursor =>
    told(
      api.GET('/api/admin/accounts', {
        params: { query: { q, banned, cursor, ...(role ? { role } : {}) } },
      }),
    ),
  )
  return (
    <Part
      title="Accounts"
      told="Newest first. Open one to see its facts, to change its role, or to close it."
    >
      <div className={css.filters}>
        <TextInput
          label="E-mail or name"
          type="search"
          defaultValue={q}
          maxLength={254}
          onChange={event => search(event.currentTarget.value)}
          w={260}
        />
        <Select
          label="Kind"
          placeholder="Accounts and admins"
          data={ROLES}
          value={role ?? null}
          onChange={value => set('role', value ?? '')}
          clearable
          w={200}
        />
        <Checkbox
          label="Only banned"
          checked={banned}
          onChange={event => set('banned', event.currentTarget.checked ? '1' : '')}
          mb={8}
        />
      </div>
      <Pages query={query} empty="Nobody here is like that.">
        {items => (
          <Table.ScrollContainer minWidth={560}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>E-mail</Table.Th>
                  <Table.Th>Kind</Table.Th>
                  <Table.Th>Since</Table.Th>
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
                      {item.role} {item.ban !== null && <Chip state="banned">banned</Chip>}
                    </Table.Td>
                    <Table.Td>{when(item.created_at)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Pages>
    </Part>
  )
}
