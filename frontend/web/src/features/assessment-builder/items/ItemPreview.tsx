import { Anchor, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import { Code, Markdown } from '@/shared/markdown/Markdown'
import { Loaded } from '@/shared/ui/QueryStates'
import css from '../Builder.module.css'
import { usePlanContext } from '../context'
import type { AvailableItem } from '../plan/availableItems'
import { nameOf } from '../plan/form'

/** What candidates read and start from: the statement and the starter code. */
interface Task {
  statement: string
  starter: string
}

async function loadTask(teamId: string, { choice, ownId, reserved }: AvailableItem): Promise<Task> {
  const team = { team_id: teamId }
  if (ownId) {
    const params = { path: { ...team, challenge_id: ownId } }
    const { files } = await unwrap(api.GET('/api/teams/{team_id}/challenges/{challenge_id}', { params }))
    return { statement: files['statement.md'] ?? '', starter: files['starter.py'] ?? '' }
  }
  if (reserved) {
    const params = { path: { ...team, slug: choice.name } }
    return unwrap(api.GET('/api/teams/{team_id}/reserved-challenges/{slug}', { params }))
  }
  return unwrap(api.GET('/api/challenges/{slug}', { params: { path: { slug: choice.name } } }))
}

const task = (teamId: string, thing: AvailableItem) =>
  queryOptions({
    queryKey: ['team', teamId, 'task', nameOf(thing.choice)],
    queryFn: () => loadTask(teamId, thing),
  })

/** An item as candidates read it, inside the picker. */
export function ItemPreview({ thing }: { thing: AvailableItem }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section className={css.preview} aria-label={`Preview of ${thing.title}`} tabIndex={0}>
      {thing.choice.kind === 'quiz' ? (
        <Text size="sm">
          {thing.about}{' '}
          <Anchor href={thing.address} target="_blank" rel="noreferrer" inherit>
            Try the quiz
          </Anchor>
        </Text>
      ) : (
        <Statement thing={thing} />
      )}
    </section>
  )
}

function Statement({ thing }: { thing: AvailableItem }) {
  const { teamId } = usePlanContext()
  return <Loaded query={useQuery(task(teamId, thing))}>{task => <TaskText {...task} />}</Loaded>
}

/** The statement of a challenge, and the code that candidates start with. */
export function TaskText({ statement, starter }: { statement: string; starter: string }) {
  return (
    <>
      <Markdown source={statement} />
      <Text fw={600} size="sm" mt="md" mb={4}>
        Starter code
      </Text>
      <Code source={starter} />
    </>
  )
}
