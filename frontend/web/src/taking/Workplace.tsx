import { Anchor, Text } from '@mantine/core'
import { useState } from 'react'
import type { OpenedItem, Participation } from '../api/taking'
import { Two } from '../challenge/DraftNote'
import { Results } from '../challenge/Results'
import { useSettings } from '../challenge/settings'
import { SubmitKey, Writing } from '../challenge/Writing'
import css from '../pages/Challenge.module.css'
import type { Keeper } from './keeper'
import { useWork } from './keepers'
import own from './Taking.module.css'
import { hourOf } from './time'
import { useSending } from './useSending'

interface Props {
  participation: Participation
  opened: OpenedItem
  starter: string
  keeper: Keeper
  /** Its time is over. */
  closed: boolean
  onNews: () => void
}

/** Where an answer is written, tried and sent. */
export function Workplace({ participation, opened, starter, keeper, closed, onNews }: Props) {
  const [settings, setSettings] = useSettings()
  const work = useWork(keeper)
  const { state, held, send } = useSending(participation, opened, onNews)
  const judge = (kind: 'run' | 'submit') => {
    send({ kind, source: work.text })
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
      samples={Boolean(opened.challenge?.samples.length)}
      kept={<Other keeper={keeper} />}
      aside={<Note closed={closed} message={work.status === 'refused' ? work.message : undefined} />}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={css.results} aria-label="Results" tabIndex={0}>
        {held ? <Held /> : <Results state={state} />}
      </section>
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
