import { Button, Group, Text } from '@mantine/core'
import { Dialog } from '../parts/Dialog'
import { Broken } from '../parts/States'
import { useDeeds } from './queries'

interface Props {
  id: string
  called: string
  opened: boolean
  close: () => void
}

/** Taking an invitation back asks once more. */
export function TakeBack({ id, called, opened, close }: Props) {
  const { revoke } = useDeeds(id)
  return (
    <Dialog title="Take the invitation back" opened={opened} onClose={close}>
      <Text size="sm">
        Nobody can start with the links of {called} any more. You may invite the person anew.
      </Text>
      {revoke.error && <Broken error={revoke.error} />}
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={close}>
          Not now
        </Button>
        <Button
          color="red.9"
          loading={revoke.isPending}
          onClick={() => revoke.mutate(undefined, { onSuccess: close })}
        >
          Take it back
        </Button>
      </Group>
    </Dialog>
  )
}
