import { Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { source, submissions } from '@/api/queries'
import type { DraftAutosave } from '@/features/drafts'

interface Props {
  base: Schemas['Link']
  signedIn: boolean
  keeper: DraftAutosave | null
}

/** Names the challenge that this one follows, and loads the user's accepted answer to it into the editor. */
export function FollowUp({ base, signedIn, keeper }: Props) {
  const client = useQueryClient()
  const sent = useQuery(submissions(base.id, signedIn)).data
  const accepted = sent?.find(each => each.kind === 'submit' && each.verdict === 'AC')
  const load = async () => {
    if (accepted) keeper?.change((await client.fetchQuery(source(accepted.id))).source)
  }
  return (
    <Group gap="sm" mb="sm">
      <Text size="sm">
        Follow-up to{' '}
        <Anchor component={Link} to={`/challenges/${base.id}`} inherit>
          {base.title}
        </Anchor>
      </Text>
      {accepted && keeper && (
        <Button size="compact-xs" variant="light" onClick={load}>
          Start from your answer
        </Button>
      )}
    </Group>
  )
}
