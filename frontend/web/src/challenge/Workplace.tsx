import { Anchor, Button, Kbd, Loader, Tabs, Text } from '@mantine/core'
import { IconPlayerPlay, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Schemas } from '../api/client'
import { submission, submissions, useMe } from '../api/queries'
import css from '../pages/Challenge.module.css'
import { DraftNote } from './DraftNote'
import { EditorTools } from './EditorTools'
import type { Draft, Keeper } from './keeper'
import type { Mark } from './lint'
import { Next } from './Next'
import { Results } from './Results'
import { useSettings } from './settings'
import { TryIt } from './TryIt'
import { type Judging, useJudging } from './useJudging'

const Editor = lazy(() => import('./Editor'))

interface Props {
  challenge: Schemas['ChallengeView']
  draft: Draft
  keeper: Keeper
  /** An earlier answer whose results are wanted. */
  shown?: string
}

/** Where the answer is written, tried and judged. */
export function Workplace({ challenge, draft, keeper, shown }: Props) {
  const { slug, starter } = challenge
  const [settings, setSettings] = useSettings()
  const [full, setFull] = useState(false)
  const [tidy, setTidy] = useState(0)
  const [pane, setPane] = useState<string | null>('results')
  const [sent, setSent] = useState('')
  const { state, send, cancel, show } = useJudging(slug)
  const busy = state.phase === 'sending' || state.phase === 'queued' || state.phase === 'judging'
  const marks = useMemo(() => marksOf(state, sent), [state, sent])
  const judge = (kind: 'run' | 'submit') => {
    if (busy) return
    setPane('results')
    setSent(draft.text)
    send(kind, draft.text)
  }
  useShown(shown, show)
  useUnderWay(slug, state.phase === 'idle' && !shown, show)
  return (
    <section className={css.right} data-full={full || undefined} aria-label="Your answer">
      <div className={css.tools}>
        <Text size="sm" c="dimmed">
          answer.py
        </Text>
        <DraftNote draft={draft} keeper={keeper} />
        <span className={css.gap} />
        <EditorTools
          settings={settings}
          onSettings={setSettings}
          full={full}
          onFull={() => setFull(!full)}
          onTidy={() => setTidy(tidy + 1)}
          {...(draft.text !== starter && { onReset: () => keeper.change(starter) })}
        />
      </div>
      <div className={css.editor}>
        <Suspense fallback={<Loader m="md" size="sm" />}>
          <Editor
            label="Your answer, Python"
            value={draft.text}
            onChange={keeper.change}
            onRun={() => judge('run')}
            onSubmit={() => judge('submit')}
            settings={settings}
            marks={marks}
            tidy={tidy}
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
        <Aside />
      </div>
      <Tabs value={pane} onChange={setPane} className={css.results} keepMounted={false}>
        <Tabs.List className={css.panes}>
          <Tabs.Tab value="results">Results</Tabs.Tab>
          <Tabs.Tab value="try">Try it</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="results">
          <Results state={state} onCancel={cancel} />
          {state.end?.verdict === 'AC' && state.end.kind === 'submit' && <Next slug={slug} />}
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <TryIt challenge={challenge} source={draft.text} settings={settings} />
        </Tabs.Panel>
      </Tabs>
    </section>
  )
}

function Aside() {
  const account = useMe()
  const { pathname } = useLocation()
  if (account?.role !== 'guest')
    return (
      <Text size="xs" c="dimmed" visibleFrom="lg">
        <Kbd size="xs">Ctrl</Kbd> + <Kbd size="xs">Enter</Kbd> submits
      </Text>
    )
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

type Show = ReturnType<typeof useJudging>['show']

/** Shows the results of an earlier answer when one is chosen. */
function useShown(id: string | undefined, show: Show) {
  const end = useQuery({ ...submission(id ?? ''), enabled: Boolean(id) }).data
  useEffect(() => {
    if (end) show(end)
  }, [end, show])
}

/** After a reload: goes on with what is still in the queue or being judged. */
function useUnderWay(slug: string, idle: boolean, show: Show) {
  const signedIn = useMe() !== null
  const newest = useQuery(submissions(slug, signedIn)).data?.find(each => each.kind !== 'scratch')
  const id = newest?.status === 'queued' || newest?.status === 'judging' ? newest.id : undefined
  useShown(idle ? id : undefined, show)
}

/** Lines of what was sent that an outcome points at. */
export function marksOf(state: Judging, sent: string): Mark[] {
  if (!sent) return []
  const lines = sent.split('\n')
  const mark = (line: number | null, message: string): Mark[] =>
    line == null ? [] : [{ line, text: lines[line - 1] ?? '', message }]
  const error = state.end?.compile_error
  const raised = state.tests.flatMap(each => mark(each.line, each.message))
  return [...(error ? mark(error.line, error.message) : []), ...raised]
}
