import { Button, Text, VisuallyHidden } from '@mantine/core'
import { IconArrowBigUp, IconArrowBigUpFilled } from '@tabler/icons-react'
import { pluralize } from '@/shared/format/numbers'

interface Props {
  votes: number
  voted: boolean
  /** What the vote is for, such as “Ada’s comment”. */
  target: string
  /** Absent if the reader cannot vote; only the number is shown then. */
  onVote?: (on: boolean) => void
  busy?: boolean
}

/** The number of votes, and a button to vote or to take the vote back. */
export function VoteButton({ votes, voted, target, onVote, busy }: Props) {
  if (!onVote)
    return (
      <Text component="span" size="xs" c="dimmed" px={8}>
        {pluralize(votes, 'vote')}
        <VisuallyHidden> for {target}</VisuallyHidden>
      </Text>
    )
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      color="gray"
      c={voted ? 'var(--g-link)' : 'var(--g-soft)'}
      leftSection={voted ? <IconArrowBigUpFilled size={15} /> : <IconArrowBigUp size={15} />}
      aria-pressed={voted}
      aria-label={`Upvote ${target}, ${pluralize(votes, 'vote')}`}
      title={voted ? 'Take back your vote' : 'Upvote'}
      disabled={busy}
      onClick={() => onVote(!voted)}
    >
      {votes}
    </Button>
  )
}
