import { Button, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { ProgressBar } from './ProgressBar'
import { useProgress } from './requests'

/** At the top of a track: how much of it is solved, and a link to the next challenge. */
export function NextChallenge({ track }: { track: string }) {
  const found = useProgress()?.tracks.find(each => each.id === track)
  if (!found) return null
  return (
    <Group mb="xl" gap="lg" align="end">
      <div style={{ flex: '0 1 22rem' }}>
        <ProgressBar solved={found.solved} of={found.challenges} name="Challenges in this track" />
      </div>
      {found.next ? (
        <Button component={Link} to={`/challenges/${found.next}`} size="xs" variant="light">
          {found.solved === 0 ? 'Start' : 'Continue'}
        </Button>
      ) : (
        <Text size="sm" fw={500} c="var(--g-good)">
          All solved.
        </Text>
      )}
    </Group>
  )
}
