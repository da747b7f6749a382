/** Submits an answer and follows its judging, test by test. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useRef } from 'react'
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import { newIdempotencyKey } from '@/api/idempotencyKey'
import { source as sourceOf, submission, useGuest } from '@/api/queries'

export type Test = Schemas['TestView']
export type End = Schemas['SubmissionView']
export type Kind = End['kind']

/** Whether a submission was judged by tests of the challenge. Snippets and own inputs are not. */
export const isAnswer = ({ kind }: { kind: Kind }) => kind === 'run' || kind === 'submit'

export interface Judging {
  phase: 'idle' | 'sending' | 'queued' | 'judging' | 'ended' | 'refused'
  id?: string
  kind?: Kind
  /** The device to judge on; set once the service has accepted the answer. */
  device?: End['device']
  tests: Test[]
  total?: number
  place?: { position: number | null; expected_wait_s: number | null; reason: string | null }
  /** The connection is lost. It reconnects by itself and misses no events. */
  lost?: boolean
  end?: End
  error?: Error
}

type Step =
  | { is: 'send'; kind: Kind }
  | { is: 'sent'; id: string; kind: Kind; device: End['device'] }
  | { is: 'queued'; data: Judging['place'] & { again?: boolean } }
  | { is: 'judging' }
  | { is: 'test'; test: Test; total: number }
  | { is: 'lost'; lost: boolean }
  | { is: 'end'; end: End }
  | { is: 'refused'; error: Error }

const IDLE: Judging = { phase: 'idle', tests: [] }
const [SOON_MS, LATEST_MS] = [1000, 8000]

function next(state: Judging, step: Step): Judging {
  switch (step.is) {
    case 'send':
      return { phase: 'sending', kind: step.kind, tests: [] }
    case 'sent':
      return { phase: 'queued', kind: step.kind, id: step.id, device: step.device, tests: [] }
    case 'queued':
      return { ...state, phase: 'queued', place: step.data, tests: step.data?.again ? [] : state.tests }
    case 'judging':
      return { ...state, phase: 'judging', tests: [] }
    case 'test':
      return {
        ...state,
        phase: 'judging',
        total: step.total,
        tests: [...state.tests.filter(each => each.id !== step.test.id), step.test],
      }
    case 'lost':
      return { ...state, lost: step.lost }
    case 'end':
      return { phase: 'ended', id: step.end.id, kind: step.end.kind, end: step.end, tests: step.end.tests }
    case 'refused':
      return { ...state, phase: 'refused', error: step.error }
  }
}

interface Followed {
  id: string
  kind: Kind
  device: End['device']
  /** The address of the submission, below which its events are. */
  address: string
  load: () => Promise<End>
}

/** Follows a submission that this or another page has sent; undefined for none. */
export function useFollowedSubmission(wanted: Followed | undefined): Judging {
  const [state, dispatch] = useReducer(next, IDLE)
  const live = useRef(wanted)
  live.current = wanted
  const id = wanted?.id
  useEffect(() => {
    const found = live.current
    if (!id || !found) return
    dispatch({ is: 'sent', id, kind: found.kind, device: found.device })
    return followed(found.address, dispatch, async () => {
      dispatch({ is: 'end', end: await (live.current ?? found).load() })
    })
  }, [id])
  return id ? state : IDLE
}

const passing = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500)

export function useJudging(slug: string, device: End['device']) {
  const [state, dispatch] = useReducer(next, IDLE)
  const client = useQueryClient()
  const guest = useRef(useGuest())
  const leave = useRef<() => void>(() => undefined)
  useEffect(() => () => leave.current(), [])

  const finish = useCallback(
    (end: End) => {
      dispatch({ is: 'end', end })
      for (const key of ['submissions', 'challenge-progress', 'progress', 'own-input'])
        client.invalidateQueries({ queryKey: [key] })
    },
    [client],
  )

  const follow = useCallback(
    (id: string, kind: Kind, device: End['device']) => {
      leave.current()
      dispatch({ is: 'sent', id, kind, device })
      leave.current = followed(`/api/submissions/${id}`, dispatch, async () => {
        finish(await client.fetchQuery({ ...submission(id), staleTime: 0 }))
      })
    },
    [client, finish],
  )

  const send = useCallback(
    async (kind: Kind, source: string, snippet = '') => {
      dispatch({ is: 'send', kind })
      try {
        await guest.current()
        const header = { 'idempotency-key': newIdempotencyKey() }
        const body = { slug, source, device }
        const path = { slug }
        const made = await unwrap(
          kind === 'scratch'
            ? api.POST('/api/scratch', { body: { ...body, snippet }, params: { header } })
            : kind === 'compare'
              ? api.POST('/api/challenges/{slug}/own-inputs', {
                  body: { source, device, input: snippet },
                  params: { header, path },
                })
              : api.POST('/api/submissions', { body: { ...body, kind }, params: { header } }),
        )
        client.setQueryData(sourceOf(made.id).queryKey, { source, snippet })
        follow(made.id, kind, device)
      } catch (error) {
        dispatch({ is: 'refused', error: error as Error })
      }
    },
    [slug, device, follow, client],
  )

  const cancel = useCallback(async (id: string) => {
    await unwrap(
      api.POST('/api/submissions/{submission_id}/cancel', { params: { path: { submission_id: id } } }),
    ).catch(() => undefined)
  }, [])

  /** Shows an earlier submission, or follows one that is still running (for example after a reload). */
  const show = useCallback(
    (end: End) => {
      if (end.status === 'queued' || end.status === 'judging') return follow(end.id, end.kind, end.device)
      leave.current()
      dispatch({ is: 'end', end })
    },
    [follow],
  )
  return { state, send, cancel, show }
}

/**
 * Follows the events of the submission at an address to the end, across lost connections. The browser resumes a broken stream by itself; if it gives
 * up (for example because the service was down), this opens a new one, which replays all events.
 */
function followed(address: string, dispatch: (step: Step) => void, ended: () => Promise<void>): () => void {
  let stream: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let pause = SOON_MS
  let over = false
  const lost = () => dispatch({ is: 'lost', lost: true })

  const again = (act: () => void) => {
    lost()
    clearTimeout(timer)
    timer = setTimeout(act, pause)
    pause = Math.min(LATEST_MS, 2 * pause)
  }
  const end = () => {
    stream?.close()
    if (!over)
      ended().then(leave, error => {
        if (passing(error)) again(end)
        else dispatch({ is: 'refused', error: error as Error })
      })
  }
  const open = () => {
    stream?.close()
    stream = new EventSource(`${address}/events`)
    const made = stream
    const on = (name: string, take: (data: never) => void) =>
      made.addEventListener(name, event => take(JSON.parse((event as MessageEvent<string>).data) as never))
    made.onopen = () => {
      pause = SOON_MS
      dispatch({ is: 'lost', lost: false })
    }
    made.onerror = () => (made.readyState === EventSource.CLOSED ? again(open) : lost())
    on('queued', (data: Judging['place'] & { again?: boolean }) => dispatch({ is: 'queued', data }))
    on('judging', () => dispatch({ is: 'judging' }))
    on('test', (data: { test: Test; total: number }) => dispatch({ is: 'test', ...data }))
    on('judged', end)
    on('cancelled', end)
  }
  const leave = () => {
    over = true
    stream?.close()
    clearTimeout(timer)
    window.removeEventListener('offline', lost)
    window.removeEventListener('online', open)
  }
  window.addEventListener('offline', lost)
  window.addEventListener('online', open)
  open()
  return leave
}
