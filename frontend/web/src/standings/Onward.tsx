import { Button, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Bar } from './Bar'
import { useProgress } from './queries'

/** At the head of a track: how much of it is solved, and the way on. */
export function Onward({ track }: { track: string }) {
  const found = useProgress()?.tracks.find(each => each.id === track)
  if (!found) return null
  return (
    <Group mb="xl" gap="lg" align="end">
      <div style={{ flex: '0 1 22rem' }}>
        <Bar solved={found.solved} of={found.challenges} name="Challenges of this track" />
      </div>
      {found.next ? (
        <Button component={Link} to={`/challenges/${found.next}`} size="xs" variant="light">
          {found.solved === 0 ? 'Begin' : 'Go on'}
        </Button>
      ) : (
        <Text size="sm" fw={500} c="var(--g-good)">
          All solved.
        </Text>
      )}
    </Group>
  )
}
