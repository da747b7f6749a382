/** Sends an answer and tells what becomes of it. Which one is looked at stands in the address, so a reload goes on with it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { api, type Schemas, told } from '../api/client'
import { item, type OpenedItem, type Participation, sentAnswer } from '../api/taking'
import type { Judging } from '../challenge/useJudging'

type Sent = Schemas['SubmissionView']
interface Wish {
  kind: 'run' | 'submit'
  source: string
}

export function useSending(participation: Participation, opened: OpenedItem, onNews: () => void) {
  const client = useQueryClient()
  const [params, setParams] = useSearchParams()
  const { position } = opened
  const underWay = opened.sent.find(each => each.status === 'queued' || each.status === 'judging')
  const id = params.get('answer') ?? underWay?.id ?? ''
  const query = useQuery(sentAnswer(id))
  const send = useMutation({
    mutationFn: (body: Wish) => {
      const path = { position }
      return told(
        api.POST('/api/participation/items/{position}/submissions', {
          params: { path },
          body: { ...body, device: 'cpu' },
        }),
      )
    },
    onSuccess: made => {
      client.setQueryData(sentAnswer(made.id).queryKey, made)
      setParams(before => set(before, made.id), { replace: true })
    },
  })
  const status = query.data?.status
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever an answer gets on, the lists show it
  useEffect(() => {
    if (!status) return
    client.invalidateQueries({ queryKey: item(participation.id, position).queryKey })
    onNews()
  }, [id, status])
  return { state: stateOf(send, query.data, query.error), held: isHeld(query.data), send: send.mutate }
}

function set(params: URLSearchParams, id: string): URLSearchParams {
  params.set('answer', id)
  return params
}

/** It is judged, and what it came to is shown after the end. */
const isHeld = (sent?: Sent): boolean =>
  sent?.status === 'judged' && sent.kind === 'submit' && sent.verdict === null

interface Sending {
  isPending: boolean
  error: Error | null
  variables?: Wish | undefined
}

function stateOf(send: Sending, sent: Sent | undefined, error: Error | null): Judging {
  const kind = send.variables?.kind
  if (send.isPending) return { phase: 'sending', tests: [], ...(kind && { kind }) }
  if (send.error) return { phase: 'refused', tests: [], error: send.error }
  if (!sent) return error ? { phase: 'refused', tests: [], error } : { phase: 'idle', tests: [] }
  if (sent.status === 'queued' || sent.status === 'judging')
    return { phase: sent.status, id: sent.id, kind: sent.kind, tests: [], lost: error !== null }
  return { phase: 'ended', id: sent.id, kind: sent.kind, end: sent, tests: sent.tests }
}
