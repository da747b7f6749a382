import { Button, Text } from '@mantine/core'
import { Broken } from '../parts/States'
import { Calm } from './Quiet'
import { linkOfThisTab } from './storage'
import { useStart } from './useStart'

/** For the older of two devices. */
export function TakenOver({ name }: { name?: string }) {
  const token = linkOfThisTab.get()
  const start = useStart(token ?? '')
  return (
    <Calm {...(name && { name })} title="It goes on on another device">
      <Text>
        Your assessment was opened again with your link, and goes on there. This page can save and send
        nothing any more. Everything that it had saved is there too.
      </Text>
      {start.error && <Broken error={start.error} />}
      {token ? (
        <Button mt="lg" loading={start.isPending} onClick={() => start.mutate('Candidate')}>
          Go on here instead
        </Button>
      ) : (
        <Text mt="sm">To work here again, open the link of your invitation.</Text>
      )}
      <Text mt="lg" c="dimmed" size="sm">
        If it was not you, tell the team that invited you: somebody else has your link.
      </Text>
    </Calm>
  )
}
