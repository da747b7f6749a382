import { Anchor, Button, Kbd, Loader, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconPlayerPlay, IconRotate, IconSend } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useMemo } from 'react'
import { Link, useLocation } from 'react-router'
import type { Schemas } from '../api/client'
import { source, submission, useMe } from '../api/queries'
import css from '../pages/Challenge.module.css'
import type { Mark } from './Editor'
import { Next } from './Next'
import { Results } from './Results'
import { type Judging, useJudging } from './useJudging'

const Editor = lazy(() => import('./Editor'))

/** Where the answer is written and judged. The draft stays in this browser. */
export function Workplace({ challenge, shown }: { challenge: Schemas['ChallengeView']; shown?: string }) {
  const { slug, starter } = challenge
  const [draft, setDraft] = useLocalStorage({
    key: `draft:${slug}`,
    defaultValue: starter,
    getInitialValueInEffect: false,
  })
  const account = useMe()
  const { state, send, cancel, show } = useJudging(slug)
  const busy = state.phase === 'sending' || state.phase === 'queued' || state.phase === 'judging'
  const marks = useMemo(() => marksOf(state), [state])
  const judge = (kind: 'run' | 'submit') => {
    if (!busy) send(kind, draft)
  }
  useShown(
    shown,
    useCallback(text => setDraft(text), [setDraft]),
    show,
  )
  return (
    <section className={css.right} aria-label="Your answer">
      <div className={css.tools}>
        <Text size="sm" c="dimmed" style={{ flex: 1 }}>
          answer.py
        </Text>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconRotate size={14} />}
          disabled={draft === starter}
          onClick={() =>
            window.confirm('Put the starter back? What you wrote here is lost.') && setDraft(starter)
          }
        >
          Reset
        </Button>
      </div>
      <div className={css.editor}>
        <Suspense fallback={<Loader m="md" size="sm" />}>
          <Editor
            value={draft}
            onChange={setDraft}
            onRun={() => judge('run')}
            onSubmit={() => judge('submit')}
            marks={marks}
          />
        </Suspense>
      </div>
      <div className={css.actions}>
        <Button
          variant="default"
          leftSection={<IconPlayerPlay size={16} />}
          loading={busy && state.kind === 'run'}
          disabled={busy}
          onClick={() => judge('run')}
        >
          Run samples
        </Button>
        <Button
          leftSection={<IconSend size={16} />}
          loading={busy && state.kind === 'submit'}
          disabled={busy}
          onClick={() => judge('submit')}
        >
          Submit
        </Button>
        {account?.role === 'guest' ? (
          <KeepIt />
        ) : (
          <Text size="xs" c="dimmed" visibleFrom="lg">
            <Kbd size="xs">Ctrl</Kbd> + <Kbd size="xs">Enter</Kbd> submits
          </Text>
        )}
      </div>
      <div className={css.results}>
        <Results state={state} onCancel={cancel} />
        {state.end?.verdict === 'AC' && state.end.kind === 'submit' && <Next slug={slug} />}
      </div>
    </section>
  )
}

function KeepIt() {
  const { pathname } = useLocation()
  return (
    <Text size="sm" c="dimmed">
      You are a guest.{' '}
      <Anchor component={Link} to={`/sign-in?new=1&then=${encodeURIComponent(pathname)}`}>
        Make an account
      </Anchor>{' '}
      to keep this.
    </Text>
  )
}

/** Opens an earlier answer with its results when one is chosen. */
function useShown(
  id: string | undefined,
  put: (text: string) => void,
  show: ReturnType<typeof useJudging>['show'],
) {
  const client = useQueryClient()
  useEffect(() => {
    if (!id) return
    Promise.all([client.fetchQuery(source(id)), client.fetchQuery(submission(id))]).then(([text, end]) => {
      put(text.source)
      show(end)
    })
  }, [id, client, put, show])
}

/** Lines that an outcome points at. */
function marksOf(state: Judging): Mark[] {
  const error = state.end?.compile_error
  const compile = error?.line != null ? [{ line: error.line, message: error.message }] : []
  const raised = state.tests.flatMap(each =>
    each.line != null ? [{ line: each.line, message: each.message }] : [],
  )
  return [...compile, ...raised]
}
