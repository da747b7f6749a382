import { Button, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, told } from '../api/client'
import { Broken, Loaded } from '../parts/States'
import css from './Desk.module.css'
import { catalogue, useDeed } from './data'
import { many } from './format'
import { Part, Section } from './Parts'

export function Catalogue() {
  const reload = useDeed(() => told(api.POST('/api/admin/catalogue/reload')))
  return (
    <Part
      title="Catalogue"
      told="What is served, and which folders were left out. Readers see the old one until the new one is complete."
    >
      <div className={css.filters}>
        <Button variant="default" onClick={() => reload.mutate(undefined)} loading={reload.isPending}>
          Read the folders again
        </Button>
      </div>
      {reload.error && <Broken error={reload.error} />}
      <Loaded query={useQuery(catalogue)}>
        {found => (
          <>
            <Text role="status">
              {many(found.challenges, 'challenge')}, {many(found.topics, 'topic')},{' '}
              {many(found.tracks, 'track')}.
            </Text>
            <Section title="Left out">
              {found.left_out.length === 0 ? (
                <Text c="dimmed">Nothing. Every folder can be used.</Text>
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
            </Section>
          </>
        )}
      </Loaded>
    </Part>
  )
}
