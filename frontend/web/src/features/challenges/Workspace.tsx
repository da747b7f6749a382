import { Anchor, Loader, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Schemas } from '@/api/client'
import { challengeProgress, source, submission, submissions, useMe } from '@/api/queries'
import type { Draft, DraftAutosave } from '@/features/drafts'
import { DraftNote } from '@/features/drafts'
import { useEditorSettings } from '@/features/editor'
import { isAnswer, type Judging, JudgingResults, useDevice, useJudging } from '@/features/judging'
import { AcceptedSummary } from './AcceptedSummary'
import { AnswerEditor, SubmitShortcutHint } from './AnswerEditor'
import { SnippetRunner } from './SnippetRunner'
import { useShowView } from './views'
import css from './Workspace.module.css'

const OwnInput = lazy(() => import('./OwnInput'))

interface Props {
  challenge: Schemas['ChallengeView']
  draft: Draft
  keeper: DraftAutosave
  /** The id of an earlier answer whose results to show. */
  shown?: string
}

/** Where the user writes, runs and submits the answer. */
export function Workspace({ challenge, draft, keeper, shown }: Props) {
  const { slug, starter } = challenge
  const [settings, setSettings] = useEditorSettings()
  const [pane, setPane] = useState<string | null>('results')
  const { device, choice } = useDevice(challenge)
  const { state, send, cancel, show } = useJudging(slug, device)
  const trying = useJudging(slug, device)
  const comparing = useJudging(slug, device)
  const judge = (kind: 'run' | 'submit') => {
    setPane('results')
    send(kind, draft.text)
  }
  const judged = useJudged(state)
  const accepted = state.end?.verdict === 'AC' && state.end.kind === 'submit' && state.end
  useShown(shown, show)
  // During a mock interview, own inputs are refused, because they tell a value of the reference.
  const own = useQuery(challengeProgress(slug, useMe() !== null && challenge.own_input)).data
  const ownInput = challenge.own_input && !own?.interview
  const showView = useShowView()
  useEffect(() => {
    if (shown) showView('results')
  }, [shown, showView])
  useLatest(slug, state.phase === 'idle' && !shown, show)
  return (
    <AnswerEditor
      text={draft.text}
      onChange={keeper.change}
      {...(draft.text !== starter && { onReset: () => keeper.change(starter) })}
      settings={settings}
      onSettings={setSettings}
      state={state}
      judged={judged}
      onSend={judge}
      saveStatus={<DraftNote draft={draft} keeper={keeper} />}
      aside={
        <>
          {choice}
          <Aside />
        </>
      }
    >
      <Tabs value={pane} onChange={setPane} className={css.results} keepMounted={false}>
        <Tabs.List className={css.panes}>
          <Tabs.Tab value="results">Results</Tabs.Tab>
          <Tabs.Tab value="try">Try it</Tabs.Tab>
          {ownInput && <Tabs.Tab value="input">Your own input</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="results">
          <JudgingResults
            state={state}
            onCancel={cancel}
            canSubmit
            edited={judged !== '' && judged !== draft.text}
            {...(accepted && { summary: <AcceptedSummary slug={slug} end={accepted} /> })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <SnippetRunner
            challenge={challenge}
            settings={settings}
            state={trying.state}
            onRun={snippet => trying.send('scratch', draft.text, snippet)}
            onCancel={trying.cancel}
          />
        </Tabs.Panel>
        {ownInput && (
          <Tabs.Panel value="input">
            <Suspense fallback={<Loader m="md" size="sm" />}>
              <OwnInput
                slug={slug}
                settings={settings}
                state={comparing.state}
                onRun={input => comparing.send('compare', draft.text, input)}
                onCancel={comparing.cancel}
              />
            </Suspense>
          </Tabs.Panel>
        )}
      </Tabs>
    </AnswerEditor>
  )
}

function Aside() {
  const account = useMe()
  const { pathname } = useLocation()
  if (account?.role !== 'guest') return <SubmitShortcutHint />
  return (
    <Text size="sm" c="dimmed" className={css.wide}>
      You are a guest.{' '}
      <Anchor component={Link} to={`/sign-in?new=1&then=${encodeURIComponent(pathname)}`}>
        Create an account
      </Anchor>{' '}
      to keep your work.
    </Text>
  )
}

type Show = ReturnType<typeof useJudging>['show']

/** Shows the results of an earlier answer when the user selects one. */
function useShown(id: string | undefined, show: Show) {
  const end = useQuery({ ...submission(id ?? ''), enabled: Boolean(id) }).data
  useEffect(() => {
    if (end) show(end)
  }, [end, show])
}

/** The judged text, to which the lines of the results belong; empty until it is known. */
function useJudged({ id = '' }: Judging): string {
  return useQuery({ ...source(id), enabled: id !== '' }).data?.source ?? ''
}

/** After a reload, shows the latest answer again, and follows it if it is still queued or being judged. */
function useLatest(slug: string, idle: boolean, show: Show) {
  const signedIn = useMe() !== null
  const newest = useQuery(submissions(slug, signedIn)).data?.find(isAnswer)
  useShown(idle ? newest?.id : undefined, show)
}
