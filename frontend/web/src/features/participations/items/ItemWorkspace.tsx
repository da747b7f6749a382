import { Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '@/api/client'
import {
  AnswerEditor,
  workspaceStyles as css,
  SnippetRunner,
  SubmitShortcutHint,
} from '@/features/challenges'
import { useEditorSettings } from '@/features/editor'
import { JudgingResults, useDevice } from '@/features/judging'
import { useSecondsLeft } from '../clock'
import own from '../Participation.module.css'
import type { ItemCard, OpenedItem, Participation } from '../requests'
import type { AnswerAutosave } from '../saving/AnswerAutosave'
import { tryKey } from '../saving/storage'
import { useAnswerText } from '../saving/useAutosaves'
import { HandIn } from './HandIn'
import { OtherVersion } from './OtherVersion'
import { StartingCode } from './StartingCode'
import { SubmissionLimits } from './SubmissionLimits'
import { useRunSnippet, useSubmitAnswer } from './useSubmitAnswer'

const LONG_AGO = new Date(0).toISOString()

interface Props {
  participation: Participation
  opened: OpenedItem
  challenge: Schemas['ChallengeView']
  keeper: AnswerAutosave
  card: ItemCard
  /** Whether its time is over, or it is handed in. */
  closed: boolean
  onNews: () => void
}

/** Where the candidate writes, runs and submits an answer. */
export function ItemWorkspace(props: Props) {
  const { participation, opened, challenge, keeper, card, closed, onNews } = props
  const { starter } = challenge
  const [settings, setSettings] = useEditorSettings()
  const work = useAnswerText(keeper)
  const [pane, setPane] = useState<string | null>('results')
  const { state, held, send, cancel } = useSubmitAnswer(participation, opened, onNews)
  const trying = useRunSnippet(opened)
  const { device, choice } = useDevice(challenge)
  const [judged, setJudged] = useState('')
  const { rules } = opened
  const wait = useSecondsLeft(rules?.next_at ?? LONG_AGO)
  const judge = (kind: 'run' | 'submit') => {
    setPane('results')
    setJudged(work.text)
    send({ kind, source: work.text, device })
    keeper.flush()
  }
  return (
    <AnswerEditor
      text={work.text}
      onChange={keeper.change}
      {...(work.text !== starter && !closed && { onReset: () => keeper.replace(starter) })}
      settings={settings}
      onSettings={setSettings}
      state={state}
      judged={judged}
      onSend={judge}
      closed={closed}
      samples={challenge.samples.length > 0}
      canSubmit={wait === 0 && rules?.left !== 0}
      saveStatus={<OtherVersion keeper={keeper} />}
      aside={
        <>
          {choice}
          {rules && !closed && <SubmissionLimits rules={rules} wait={wait} />}
          <StartingCode opened={opened} starter={starter} keeper={keeper} closed={closed} />
          {card.has_follow_up && !closed && <HandIn found={participation} card={card} keeper={keeper} />}
          <Note
            closed={closed}
            handedIn={card.handed_in_at !== null}
            usedUp={rules?.left === 0}
            message={work.status === 'refused' ? work.message : undefined}
          />
        </>
      }
    >
      <Tabs value={pane} onChange={setPane} className={css.results} keepMounted={false}>
        <Tabs.List className={css.panes}>
          <Tabs.Tab value="results">Results</Tabs.Tab>
          <Tabs.Tab value="try">Try it</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="results" tabIndex={0}>
          {held ? (
            <Held verdicts={participation.verdicts} left={rules?.left ?? null} />
          ) : (
            <JudgingResults
              state={state}
              canSubmit
              edited={judged !== '' && judged !== work.text}
              {...(state.kind === 'run' && { onCancel: cancel })}
            />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <SnippetRunner
            challenge={challenge}
            settings={settings}
            state={trying.state}
            onRun={snippet => trying.send({ source: work.text, snippet, device })}
            onCancel={trying.cancel}
            onPaste={size => keeper.note('paste', size, 'snippet')}
            storageKey={tryKey(participation.id, opened.position)}
            closed={closed}
          />
        </Tabs.Panel>
      </Tabs>
    </AnswerEditor>
  )
}

interface NoteProps {
  closed: boolean
  handedIn: boolean
  /** Whether no submissions are left. */
  usedUp: boolean
  message: string | undefined
}

function Note({ closed, handedIn, usedUp, message }: NoteProps) {
  if (handedIn)
    return (
      <Text size="sm" role="status">
        You have handed in this task. Your best submission counts.
      </Text>
    )
  if (closed || message)
    return (
      <Text size="sm" role="status">
        {message ??
          `Time is up. Everything that you ${usedUp ? 'submitted' : 'saved or submitted'} in time counts.`}
      </Text>
    )
  return <SubmitShortcutHint />
}

function Held({ verdicts, left }: Pick<Participation, 'verdicts'> & { left: number | null }) {
  return (
    <Text className={own.held} role="status">
      Submitted. Your answer counts, and{' '}
      {verdicts === 'never' ? 'only the team sees its result' : 'its result is shown after you finish'}.{' '}
      {left === 0
        ? 'You have used all submissions of this item.'
        : 'You can submit again: the best answer counts.'}
    </Text>
  )
}
