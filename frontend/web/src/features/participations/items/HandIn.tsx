import { Alert, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { api, unwrap } from '@/api/client'
import { Dialog } from '@/shared/ui/Dialog'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { syncClock } from '../clock'
import { type ItemCard, item, type Participation, participation } from '../requests'
import type { AnswerAutosave } from '../saving/AnswerAutosave'

interface Props {
  found: Participation
  card: ItemCard
  keeper: AnswerAutosave
}

/** Hands in a task that has a follow-up, after a confirmation, and goes to the follow-up. */
export function HandIn(props: Props) {
  const [asking, { open, close }] = useDisclosure()
  return (
    <>
      <Button size="xs" variant="light" onClick={open}>
        Hand in and continue
      </Button>
      {asking && <Confirm {...props} onClose={close} />}
    </>
  )
}

function Confirm({ found, card, keeper, onClose }: Props & { onClose: () => void }) {
  const client = useQueryClient()
  const go = useNavigate()
  const handIn = useMutation({
    mutationFn: async () => {
      if (!(await keeper.flush())) return null
      const path = { position: card.position }
      return unwrap(api.POST('/api/participation/items/{position}/hand-in', { params: { path } }))
    },
    onSuccess: async next => {
      if (!next) return
      syncClock(next.server_time)
      client.setQueryData(participation.queryKey, next)
      client.invalidateQueries({ queryKey: item(found.id, card.position).queryKey })
      await go(`/participation/${card.position + 1}`)
    },
  })
  return (
    <Dialog title="Hand in this task?" onClose={onClose}>
      <Text>
        There is a follow-up on your own answer. It opens when you hand in this task, and starts from your
        code.
      </Text>
      <Text mt="sm">
        You cannot change this task after that. The code in the editor is submitted, unless you have already
        submitted it{card.submissions_left === 0 && ' or have no submissions left'}. Your best submission
        counts.
      </Text>
      {handIn.data === null && (
        <Alert color="red" variant="light" mt="md" title="Your code is not saved">
          It has not reached the server, and is still in this browser. Wait until you are back online, and try
          again.
        </Alert>
      )}
      {handIn.error && <ErrorMessage error={handIn.error} />}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep working
        </Button>
        <Button loading={handIn.isPending} onClick={() => handIn.mutate()}>
          Hand in and continue
        </Button>
      </Group>
    </Dialog>
  )
}
