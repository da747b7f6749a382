import { Anchor, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Schemas } from '../api/client'
import { submission, submissions, useMe } from '../api/queries'
import css from '../pages/Challenge.module.css'
import { useDevice } from './Device'
import { DraftNote } from './DraftNote'
import type { Draft, Keeper } from './keeper'
import { Next } from './Next'
import { Results } from './Results'
import { useSettings } from './settings'
import { TryIt } from './TryIt'
import { useJudging } from './useJudging'
import { SubmitKey, Writing } from './Writing'

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
  const [pane, setPane] = useState<string | null>('results')
  const { device, choice } = useDevice(challenge)
  const { state, send, cancel, show } = useJudging(slug, device)
  const trying = useJudging(slug, device)
  const judge = (kind: 'run' | 'submit') => {
    setPane('results')
    send(kind, draft.text)
  }
  useShown(shown, show)
  useUnderWay(slug, state.phase === 'idle' && !shown, show)
  return (
    <Writing
      text={draft.text}
      onChange={keeper.change}
      {...(draft.text !== starter && { onReset: () => keeper.change(starter) })}
      settings={settings}
      onSettings={setSettings}
      state={state}
      onSend={judge}
      kept={<DraftNote draft={draft} keeper={keeper} />}
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
        </Tabs.List>
        <Tabs.Panel value="results">
          <Results state={state} onCancel={cancel} />
          {state.end?.verdict === 'AC' && state.end.kind === 'submit' && <Next slug={slug} />}
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <TryIt
            challenge={challenge}
            settings={settings}
            state={trying.state}
            onRun={snippet => trying.send('scratch', draft.text, snippet)}
            onCancel={trying.cancel}
          />
        </Tabs.Panel>
      </Tabs>
    </Writing>
  )
}

function Aside() {
  const account = useMe()
  const { pathname } = useLocation()
  if (account?.role !== 'guest') return <SubmitKey />
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
