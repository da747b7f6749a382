import { Button, Group, List, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Dialog } from '../parts/Dialog'
import { Broken } from '../parts/States'
import { useWork } from './context'
import { placeOf } from './faults'
import { useActs } from './useActs'

/** Before candidates may start: what that means, or what is missing. */
export function Opening({ onClose }: { onClose: () => void }) {
  const work = useWork()
  const { open } = useActs(work)
  const go = useMutation({
    mutationFn: async () => {
      if (work.dirty && (await work.saving.mutateAsync(work.form)).conflict) return
      await open.mutateAsync()
    },
    onSuccess: onClose,
  })
  const { all, form, dirty } = work
  if (all.length > 0)
    return (
      <Dialog title="Not yet" onClose={onClose}>
        <Text size="sm" mb="sm">
          Before it can be opened:
        </Text>
        <List size="sm" spacing={4}>
          {all.map(each => (
            <List.Item key={`${each.field} ${each.message}`}>
              {placeOf(each, form)}
              {each.message}
            </List.Item>
          ))}
        </List>
        <Group justify="flex-end" mt="lg">
          <Button onClick={onClose}>Go on writing</Button>
        </Group>
      </Dialog>
    )
  return (
    <Dialog title="Open for candidates" onClose={onClose}>
      <Text size="sm">
        Everybody with an invitation may start{form.opens_at || form.closes_at ? ', within its window' : ''}.
        You can still change the plan: from the first start on, saving makes a new version, and who has
        started keeps theirs.
      </Text>
      {go.error && <Broken error={go.error} />}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Not yet
        </Button>
        <Button loading={go.isPending} onClick={() => go.mutate()}>
          {dirty ? 'Save and open' : 'Open it'}
        </Button>
      </Group>
    </Dialog>
  )
}
