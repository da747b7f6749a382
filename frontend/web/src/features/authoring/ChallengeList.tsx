import { Anchor, Button, Code, Group, Paper, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { atLeast, type Team } from '@/features/teams'
import { formatDateTime } from '@/shared/format/dates'
import { Loaded } from '@/shared/ui/QueryStates'
import { GateState, percent, State } from './gate/states'
import { NewChallengeDialog } from './NewChallengeDialog'
import { type TeamChallengeCard, teamChallenges } from './requests'

/** The team's own challenges with their states. */
export function ChallengeList({ team }: { team: Team }) {
  const query = useQuery(teamChallenges(team.id))
  const [open, setOpen] = useState(false)
  const writes = atLeast(team, 'author')
  return (
    <>
      <Group justify="space-between" align="flex-start" mb="lg">
        <Text c="dimmed" maw="40rem">
          Challenges that your team has written. The gate checks each one before an assessment can use it.
          Only your team, and the candidates of its assessments, can see them.
        </Text>
        {writes && <Button onClick={() => setOpen(true)}>New challenge</Button>}
      </Group>
      <Loaded query={query}>
        {items => (items.length ? <Rows team={team} items={items} /> : <Empty writes={writes} />)}
      </Loaded>
      {open && <NewChallengeDialog teamId={team.id} onClose={() => setOpen(false)} />}
    </>
  )
}

function Empty({ writes }: { writes: boolean }) {
  return (
    <Paper radius="lg" p="xl">
      <Text>No challenges yet.</Text>
      {writes && (
        <Text c="dimmed" mt="xs">
          Start with “New challenge”, or push a folder from your terminal:{' '}
          <Code>gradus push my-challenge --team …</Code>
        </Text>
      )}
    </Paper>
  )
}

function Rows({ team, items }: { team: Team; items: TeamChallengeCard[] }) {
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Challenge</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Latest version</Table.Th>
            <Table.Th ta="right">Mutants caught</Table.Th>
            <Table.Th>Saved</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map(item => (
            <Table.Tr key={item.id}>
              <Table.Td>
                <Anchor component={Link} to={`/teams/${team.id}/challenges/${item.id}`} fw={600}>
                  {item.title}
                </Anchor>
                <Text size="xs" c="dimmed" ff="monospace">
                  {item.slug}
                </Text>
              </Table.Td>
              <Table.Td>
                <State of={item} />
              </Table.Td>
              <Table.Td>
                <GateState of={item} />
              </Table.Td>
              <Table.Td ta="right">{item.published ? percent(item.published.kill_rate) : '–'}</Table.Td>
              <Table.Td>{formatDateTime(item.saved_at)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
