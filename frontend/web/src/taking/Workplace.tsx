import { Anchor, Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '../api/client'
import type { OpenedItem, Participation } from '../api/taking'
import { useDevice } from '../challenge/Device'
import { Two } from '../challenge/DraftNote'
import { Results } from '../challenge/Results'
import { useSettings } from '../challenge/settings'
import { TryIt } from '../challenge/TryIt'
import { SubmitKey, Writing } from '../challenge/Writing'
import css from '../pages/Challenge.module.css'
import type { Keeper } from './keeper'
import { useWork } from './keepers'
import { tryKey } from './storage'
import own from './Taking.module.css'
import { hourOf } from './time'
import { useSending, useTrying } from './useSending'

interface Props {
  participation: Participation
  opened: OpenedItem
  challenge: Schemas['ChallengeView']
  keeper: Keeper
  /** Its time is over. */
  closed: boolean
  onNews: () => void
}

/** Where an answer is written, tried and sent. */
export function Workplace({ participation, opened, challenge, keeper, closed, onNews }: Props) {
  const { starter } = challenge
  const [settings, setSettings] = useSettings()
  const work = useWork(keeper)
  const [pane, setPane] = useState<string | null>('results')
  const { state, held, send, cancel } = useSending(participation, opened, onNews)
  const trying = useTrying(opened)
  const { device, choice } = useDevice(challenge)
  const judge = (kind: 'run' | 'submit') => {
    setPane('results')
    send({ kind, source: work.text, device })
    keeper.flush()
  }
  return (
    <Writing
      text={work.text}
      onChange={keeper.change}
      {...(work.text !== starter && !closed && { onReset: () => keeper.replace(starter) })}
      settings={settings}
      onSettings={setSettings}
      state={state}
      onSend={judge}
      closed={closed}
      samples={challenge.samples.length > 0}
      kept={<Other keeper={keeper} />}
      aside={
        <>
          {choice}
          <Note closed={closed} message={work.status === 'refused' ? work.message : undefined} />
        </>
      }
    >
      <Tabs value={pane} onChange={setPane} className={css.results} keepMounted={false}>
        <Tabs.List className={css.panes}>
          <Tabs.Tab value="results">Results</Tabs.Tab>
          <Tabs.Tab value="try">Try it</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="results" tabIndex={0}>
          {held ? <Held /> : <Results state={state} {...(state.kind === 'run' && { onCancel: cancel })} />}
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <TryIt
            challenge={challenge}
            settings={settings}
            state={trying.state}
            onRun={snippet => trying.send({ source: work.text, snippet, device })}
            onCancel={trying.cancel}
            onPaste={size => keeper.note('paste', size, 'snippet')}
            keptAs={tryKey(participation.id, opened.position)}
            closed={closed}
          />
        </Tabs.Panel>
      </Tabs>
    </Writing>
  )
}

function Note({ closed, message }: { closed: boolean; message: string | undefined }) {
  if (closed || message)
    return (
      <Text size="sm" role="status">
        {message ?? 'The time is over. What had arrived by then counts; an answer on its way counts too.'}
      </Text>
    )
  return <SubmitKey />
}

function Held() {
  return (
    <Text className={own.held} role="status">
      Submitted, and judged. What it came to is shown after the end. You may submit again: the best answer
      counts.
    </Text>
  )
}

/** A text that gave way to a newer one is not thrown away unseen. */
function Other({ keeper }: { keeper: Keeper }) {
  const { other, text } = useWork(keeper)
  const [open, setOpen] = useState(false)
  if (!other) return null
  const decide = (chosen: string) => {
    keeper.settle(chosen)
    setOpen(false)
  }
  return (
    <>
      <Anchor component="button" type="button" size="xs" onClick={() => setOpen(true)}>
        Another text is kept
      </Anchor>
      {open && (
        <Two
          title="Two texts of this item"
          told={`The other one is from ${hourOf(other.at)}; the newer of the two took its place.`}
          names={['the other one', 'the present one']}
          other={other.text}
          own={text}
          onDecide={decide}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
