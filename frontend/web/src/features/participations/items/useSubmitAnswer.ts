/** Submits an answer and follows its judging. The URL holds the selected submission, so a reload continues with it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import type { Judging } from '@/features/judging'
import { item, type OpenedItem, type Participation, sentAnswer } from '../requests'
import { hidesVerdicts } from './itemStates'

type Sent = Schemas['SubmissionView']
interface Wish {
  kind: 'run' | 'submit'
  source: string
  device: Sent['device']
}

export function useSubmitAnswer(participation: Participation, opened: OpenedItem, onNews: () => void) {
  const client = useQueryClient()
  const [params, setParams] = useSearchParams()
  const { position } = opened
  const underWay = opened.sent.find(isUnderWay)
  const id = params.get('answer') ?? underWay?.id ?? ''
  const query = useQuery(sentAnswer(id))
  const send = useMutation({
    mutationFn: (body: Wish) => {
      const path = { position }
      return unwrap(
        api.POST('/api/participation/items/{position}/submissions', {
          params: { path },
          body,
        }),
      )
    },
    onSuccess: made => {
      client.setQueryData(sentAnswer(made.id).queryKey, made)
      setParams(before => set(before, made.id), { replace: true })
    },
  })
  const status = query.data?.status
  // biome-ignore lint/correctness/useExhaustiveDependencies: refreshes the lists whenever a submission's status changes
  useEffect(() => {
    if (!status) return
    client.invalidateQueries({ queryKey: item(participation.id, position).queryKey })
    onNews()
  }, [id, status])
  const held = isHeld(participation, query.data) && !send.isPending && !send.error
  // Its result is hidden, so do not show it as pending.
  const state: Judging = held
    ? { phase: 'idle', tests: [] }
    : stateOf({ ...send, kind: send.variables?.kind }, query.data, query.error)
  return { state, held, send: send.mutate, cancel: useCancelling() }
}

/** Runs snippets after an answer, one at a time. They do not count. */
export function useRunSnippet({ position }: OpenedItem) {
  const client = useQueryClient()
  const [id, setId] = useState('')
  const query = useQuery(sentAnswer(id))
  const send = useMutation({
    mutationFn: (body: Pick<Wish, 'source' | 'device'> & { snippet: string }) =>
      unwrap(
        api.POST('/api/participation/items/{position}/scratch', {
          params: { path: { position } },
          body,
        }),
      ),
    onSuccess: made => {
      client.setQueryData(sentAnswer(made.id).queryKey, made)
      setId(made.id)
    },
  })
  const state = stateOf({ ...send, kind: 'scratch' }, query.data, query.error)
  return { state, send: send.mutate, cancel: useCancelling() }
}

/** Cancels a run or a snippet. If it ended in the meantime, its result is shown. */
function useCancelling() {
  const client = useQueryClient()
  return async (id: string) => {
    const path = '/api/participation/submissions/{submission_id}/cancel'
    await unwrap(api.POST(path, { params: { path: { submission_id: id } } })).catch(() => undefined)
    await client.invalidateQueries({ queryKey: sentAnswer(id).queryKey })
  }
}

const isUnderWay = ({ status }: { status: Sent['status'] }) => status === 'queued' || status === 'judging'

function set(params: URLSearchParams, id: string): URLSearchParams {
  params.set('answer', id)
  return params
}

/** Whether the result of a submitted answer is hidden, until the end or for good. */
const isHeld = (found: Participation, sent?: Sent): boolean =>
  hidesVerdicts(found) && sent?.kind === 'submit' && sent.verdict === null

interface Sending {
  isPending: boolean
  error: Error | null
  kind: Sent['kind'] | undefined
}

function stateOf(send: Sending, sent: Sent | undefined, error: Error | null): Judging {
  if (send.isPending) return { phase: 'sending', tests: [], ...(send.kind && { kind: send.kind }) }
  if (send.error) return { phase: 'refused', tests: [], error: send.error }
  if (!sent) return error ? { phase: 'refused', tests: [], error } : { phase: 'idle', tests: [] }
  if (sent.status === 'queued' || sent.status === 'judging')
    return { phase: sent.status, id: sent.id, kind: sent.kind, tests: [], lost: error !== null }
  return { phase: 'ended', id: sent.id, kind: sent.kind, end: sent, tests: sent.tests }
}
