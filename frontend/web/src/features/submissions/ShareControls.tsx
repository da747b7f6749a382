import { Alert, Anchor, Button, CopyButton, Group, Switch, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { sharing, useMe } from '@/api/queries'

/** The owner chooses who sees an accepted answer, and can undo it. */
export function ShareControls({ id }: { id: string }) {
  const account = useMe()
  const client = useQueryClient()
  const now = useQuery(sharing(id)).data
  const params = { path: { submission_id: id } }
  const change = useMutation({
    mutationFn: (listed: boolean | null): Promise<Schemas['SharingView'] | undefined> =>
      listed === null
        ? unwrap(api.DELETE('/api/submissions/{submission_id}/share', { params }))
        : unwrap(api.PUT('/api/submissions/{submission_id}/share', { params, body: { listed } })),
    onSuccess: made => {
      client.setQueryData(
        sharing(id).queryKey,
        made ?? { id: null, listed: false, hidden: false, shared_at: null },
      )
      client.invalidateQueries({ queryKey: ['answers'] })
    },
  })
  if (!now || account?.role === 'guest') return null
  if (now.hidden)
    return (
      <Text size="sm" c="dimmed" mt="sm" mb="md">
        A moderator has hidden this answer, so nobody else can read it.
      </Text>
    )
  const address = `${window.location.origin}/shared/${now.id}`
  return (
    <section aria-label="Sharing">
      {now.id ? (
        <>
          <Group gap="xs" mt="sm">
            <Anchor component={Link} to={`/shared/${now.id}`} size="sm" mr="xs">
              Open the shared page
            </Anchor>
            <CopyButton value={address}>
              {({ copied, copy }) => (
                <Button size="compact-xs" variant="default" onClick={copy}>
                  {copied ? 'Copied' : 'Copy link'}
                </Button>
              )}
            </CopyButton>
            <Button
              size="compact-xs"
              variant="subtle"
              c="var(--g-bad)"
              loading={change.isPending}
              onClick={() => change.mutate(null)}
            >
              Stop sharing
            </Button>
          </Group>
          <Switch
            mt="xs"
            mb="md"
            size="sm"
            label="Also show this answer to others who have solved the challenge"
            checked={now.listed}
            onChange={event => change.mutate(event.currentTarget.checked)}
          />
        </>
      ) : (
        <Group gap="xs" mt="sm" mb="md">
          <Button size="xs" variant="light" loading={change.isPending} onClick={() => change.mutate(false)}>
            Share with a link
          </Button>
          <Text size="xs" c="dimmed">
            Anyone with the link can see the code and your name, until you stop sharing.
          </Text>
        </Group>
      )}
      {change.isError && (
        <Alert color="red" variant="light" mb="md">
          {change.error.message}
        </Alert>
      )}
    </section>
  )
}
