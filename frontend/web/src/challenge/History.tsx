import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { submissions } from '../api/queries'
import { Loaded } from '../parts/States'
import { SubmissionTable } from '../parts/SubmissionTable'

/** One's own answers to this challenge. */
export function History(props: { slug: string; signedIn: boolean; onShow: (id: string) => void }) {
  const query = useQuery(submissions(props.slug, props.signedIn))
  if (!props.signedIn) return <Text c="dimmed">Sign in to see the answers that you have sent.</Text>
  return (
    <Loaded query={query}>
      {items =>
        items.length === 0 ? (
          <Text c="dimmed">Nothing sent yet.</Text>
        ) : (
          <SubmissionTable
            items={items}
            action={item => (
              <Button size="compact-xs" variant="subtle" onClick={() => props.onShow(item.id)}>
                Open
              </Button>
            )}
          />
        )
      }
    </Loaded>
  )
}
