import { Button, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import { pluralize } from '@/shared/format/numbers'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import css from './Admin.module.css'
import { AdminPart, AdminSection } from './AdminSection'
import { catalogue, useAdminMutation } from './requests'

export function CatalogueState() {
  const reload = useAdminMutation(() => unwrap(api.POST('/api/admin/catalogue/reload')))
  return (
    <AdminPart
      title="Catalogue"
      description="The challenges that are served, and the folders that could not be loaded. During a reload, the old catalogue is served until the new one is complete."
    >
      <div className={css.filters}>
        <Button variant="default" onClick={() => reload.mutate(undefined)} loading={reload.isPending}>
          Reload catalogue
        </Button>
      </div>
      {reload.error && <ErrorMessage error={reload.error} />}
      <Loaded query={useQuery(catalogue)}>
        {found => (
          <>
            <Text role="status">
              {pluralize(found.challenges, 'challenge')}, {pluralize(found.topics, 'topic')},{' '}
              {pluralize(found.tracks, 'track')}.
            </Text>
            <AdminSection title="Skipped folders">
              {found.left_out.length === 0 ? (
                <Text c="dimmed">None. Every folder was loaded.</Text>
              ) : (
                <Table verticalSpacing="xs">
                  <Table.Tbody>
                    {found.left_out.map(each => (
                      <Table.Tr key={each.folder}>
                        <Table.Td style={{ overflowWrap: 'anywhere' }}>
                          <Text ff="monospace" size="sm">
                            {each.folder}
                          </Text>
                          <Text size="sm" c="dimmed">
                            {each.reason}
                          </Text>
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              )}
            </AdminSection>
          </>
        )}
      </Loaded>
    </AdminPart>
  )
}
