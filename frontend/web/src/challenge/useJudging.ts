/** Sends an answer and follows its judging: what is known so far, test by test. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useRef } from 'react'
import { api, type Schemas, told } from '../api/client'
import { submission, useGuest } from '../api/queries'

export type Test = Schemas['TestView']
export type End = Schemas['SubmissionView']

export interface Judging {
  phase: 'idle' | 'sending' | 'queued' | 'judging' | 'ended' | 'refused'
  id?: string
  kind?: 'run' | 'submit'
  tests: Test[]
  total?: number
  place?: { position: number | null; expected_wait_s: number | null; reason: string | null }
  end?: End
  error?: Error
}

type Step =
  | { is: 'send'; kind: 'run' | 'submit' }
  | { is: 'sent'; id: string }
  | { is: 'queued'; data: Judging['place'] & { again?: boolean } }
  | { is: 'judging' }
  | { is: 'test'; test: Test; total: number }
  | { is: 'end'; end: End }
  | { is: 'refused'; error: Error }

const IDLE: Judging = { phase: 'idle', tests: [] }

function next(state: Judging, step: Step): Judging {
  switch (step.is) {
    case 'send':
      return { phase: 'sending', kind: step.kind, tests: [] }
    case 'sent':
      return { ...state, phase: 'queued', id: step.id }
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
    case 'end':
      return { ...state, phase: 'ended', end: step.end, tests: step.end.tests }
    case 'refused':
      return { ...state, phase: 'refused', error: step.error }
  }
}

export function useJudging(slug: string) {
  const [state, dispatch] = useReducer(next, IDLE)
  const client = useQueryClient()
  const guest = useRef(useGuest())
  const events = useRef<EventSource | null>(null)
  const close = useCallback(() => events.current?.close(), [])
  useEffect(() => close, [close])

  const follow = useCallback(
    (id: string) => {
      close()
      const stream = new EventSource(`/api/submissions/${id}/events`)
      events.current = stream
      const on = (name: string, take: (data: never) => void) =>
        stream.addEventListener(name, event =>
          take(JSON.parse((event as MessageEvent<string>).data) as never),
        )
      on('queued', (data: Judging['place'] & { again?: boolean }) => dispatch({ is: 'queued', data }))
      on('judging', () => dispatch({ is: 'judging' }))
      on('test', (data: { test: Test; total: number }) => dispatch({ is: 'test', ...data }))
      const ended = async () => {
        stream.close()
        try {
          const end = await client.fetchQuery({ ...submission(id), staleTime: 0 })
          dispatch({ is: 'end', end })
        } catch (error) {
          dispatch({ is: 'refused', error: error as Error })
        }
        client.invalidateQueries({ queryKey: ['submissions'] })
      }
      on('judged', ended)
      on('cancelled', ended)
    },
    [client, close],
  )

  const send = useCallback(
    async (kind: 'run' | 'submit', text: string) => {
      dispatch({ is: 'send', kind })
      try {
        await guest.current()
        const headers = { 'idempotency-key': crypto.randomUUID?.() ?? String(Math.random()) }
        const body = { slug, source: text, kind, device: 'cpu' as const }
        const made = await told(api.POST('/api/submissions', { body, params: { header: headers } }))
        dispatch({ is: 'sent', id: made.id })
        follow(made.id)
      } catch (error) {
        dispatch({ is: 'refused', error: error as Error })
      }
    },
    [slug, follow],
  )

  const cancel = useCallback(async (id: string) => {
    await told(
      api.POST('/api/submissions/{submission_id}/cancel', { params: { path: { submission_id: id } } }),
    ).catch(() => undefined)
  }, [])

  const show = useCallback((end: End) => dispatch({ is: 'end', end }), [])
  return { state, send, cancel, show }
}
