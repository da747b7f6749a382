import { Alert, Button, Group, List, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'
import { Dialog } from '@/shared/ui/Dialog'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { syncClock } from './clock'
import { itemsOf } from './items/itemStates'
import { usedUpItems } from './items/submissionsLeft'
import { type ItemCard, type Participation, participation } from './requests'
import { forgetParticipation } from './saving/storage'
import type { Autosaves } from './saving/useAutosaves'

interface Props {
  found: Participation
  keepers: Autosaves
  onClose: () => void
}

/** Confirms finishing, and lists what is not submitted yet. */
export function FinishDialog({ found, keepers, onClose }: Props) {
  const client = useQueryClient()
  const finish = useMutation({
    mutationFn: async (anyhow: boolean) => {
      const saved = await keepers.flush()
      if (!saved && !anyhow) return null
      return unwrap(api.POST('/api/participation/finish'))
    },
    onSuccess: ended => {
      if (!ended) return
      syncClock(ended.server_time)
      forgetParticipation(ended.id)
      for (const key of [ended.id, 'sent']) client.removeQueries({ queryKey: ['participation', key] })
      client.setQueryData(participation.queryKey, ended)
    },
  })
  const items = itemsOf(found)
  const unopened = items.filter(item => !item.opened_at)
  const unsent = items.filter(
    item => item.opened_at && item.sent < item.asked && (item.kind === 'quiz' || !item.sent),
  )
  const usedUp = usedUpItems(found)
  const following = items.filter(item => item.has_follow_up && !item.handed_in_at)
  const unsaved = finish.data === null
  return (
    <Dialog title="Finish the assessment?" onClose={onClose}>
      {unopened.length + unsent.length === 0 && <Text>You have submitted an answer to every item.</Text>}
      {unsent.length > 0 && (
        <>
          <Text>
            If you finish now, the code in each editor is submitted as your answer, and unanswered questions
            get no points. These items are not complete:
          </Text>
          <Names items={unsent} />
        </>
      )}
      {usedUp.length > 0 && (
        <>
          <Text mt="sm">
            These items have no submissions left. Changes to their code since your last submission do not
            count:
          </Text>
          <Names items={usedUp} />
        </>
      )}
      {unopened.length > 0 && (
        <>
          <Text mt="sm">You have not opened these items:</Text>
          <Names items={unopened} />
        </>
      )}
      {following.length > 0 && (
        <>
          <Text mt="sm">
            These items have a follow-up that you have not opened. It opens when you hand in the item.
          </Text>
          <Names items={following} />
        </>
      )}
      <Text mt="sm">You cannot change anything after you finish, even if there is time left.</Text>
      {unsaved && (
        <Alert color="red" variant="light" mt="md" title="Not everything is saved">
          Some of your work has not reached the server. It is still in this browser. Wait until you are back
          online, or finish without it.
        </Alert>
      )}
      {finish.error && <ErrorMessage error={finish.error} />}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep working
        </Button>
        <Button loading={finish.isPending} onClick={() => finish.mutate(unsaved)}>
          {unsaved ? 'Finish without it' : 'Finish'}
        </Button>
      </Group>
    </Dialog>
  )
}

function Names({ items }: { items: ItemCard[] }) {
  return (
    <List mt={4}>
      {items.map(item => (
        <List.Item key={item.position}>
          {item.position}. {item.title}
          {item.kind === 'quiz' &&
            item.opened_at &&
            `: ${item.asked - item.sent} of ${item.asked} questions unanswered`}
        </List.Item>
      ))}
    </List>
  )
}
