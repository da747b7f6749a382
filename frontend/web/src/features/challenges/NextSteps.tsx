import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { topics } from '@/api/queries'

/** Suggestions after an accepted answer. */
export function NextSteps({ slug }: { slug: string }) {
  const all = useQuery(topics).data ?? []
  const place = all.findIndex(each => each.challenges.includes(slug))
  const own = all[place]
  const rest = all.slice(place + 1).find(each => each.section === own?.section) ?? all[place + 1]
  const sibling = own?.challenges.find(each => each !== slug)
  return (
    <Group p="md" gap="sm">
      <Text size="sm" fw={600}>
        Well done. Next:
      </Text>
      {own && own.questions > 0 && (
        <Button size="xs" variant="light" component={Link} to={`/topics/${own.id}/quiz`}>
          Take the quiz on this topic
        </Button>
      )}
      {sibling && (
        <Button size="xs" variant="light" component={Link} to={`/challenges/${sibling}`}>
          Try a related challenge
        </Button>
      )}
      {rest && (
        <Button size="xs" variant="default" component={Link} to={`/topics/${rest.id}`}>
          {rest.title}
        </Button>
      )}
    </Group>
  )
}
