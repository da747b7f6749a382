import { Alert, Button, Group, List, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, told } from '../api/client'
import { type Participation, participation } from '../api/taking'
import { Dialog } from '../parts/Dialog'
import { Broken } from '../parts/States'
import type { Keepers } from './keepers'
import { itemsOf } from './states'
import { forget } from './storage'
import { heard } from './time'

interface Props {
  found: Participation
  keepers: Keepers
  onClose: () => void
}

/** Asks before the end what is not submitted. */
export function Finish({ found, keepers, onClose }: Props) {
  const client = useQueryClient()
  const finish = useMutation({
    mutationFn: async (anyhow: boolean) => {
      const saved = await keepers.flush()
      if (!saved && !anyhow) return null
      return told(api.POST('/api/participation/finish'))
    },
    onSuccess: ended => {
      if (!ended) return
      heard(ended.server_time)
      forget(ended.id)
      for (const key of [ended.id, 'sent']) client.removeQueries({ queryKey: ['participation', key] })
      client.setQueryData(participation.queryKey, ended)
    },
  })
  const items = itemsOf(found)
  const unopened = items.filter(item => !item.opened_at)
  const unsent = items.filter(item => item.opened_at && !item.sent)
  const unsaved = finish.data === null
  return (
    <Dialog title="Finish the assessment?" onClose={onClose}>
      {unopened.length + unsent.length === 0 && <Text>You have sent something for every item.</Text>}
      {unsent.length > 0 && (
        <>
          <Text>
            Opened, and nothing submitted. What stands in an editor now is sent as your answer; a question
            without an answer stays so:
          </Text>
          <Names items={unsent} />
        </>
      )}
      {unopened.length > 0 && (
        <>
          <Text mt="sm">Never opened:</Text>
          <Names items={unopened} />
        </>
      )}
      <Text mt="sm">After this nothing can be changed, even if there is time left.</Text>
      {unsaved && (
        <Alert color="red" variant="light" mt="md" title="Not everything is saved">
          Something that you wrote has not reached the service. Wait for the connection, or finish without it.
        </Alert>
      )}
      {finish.error && <Broken error={finish.error} />}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          Go on working
        </Button>
        <Button loading={finish.isPending} onClick={() => finish.mutate(unsaved)}>
          {unsaved ? 'Finish without it' : 'Finish'}
        </Button>
      </Group>
    </Dialog>
  )
}

function Names({ items }: { items: { position: number; title: string }[] }) {
  return (
    <List mt={4}>
      {items.map(item => (
        <List.Item key={item.position}>
          {item.position}. {item.title}
        </List.Item>
      ))}
    </List>
  )
}
