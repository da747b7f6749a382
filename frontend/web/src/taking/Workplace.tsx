import { Anchor, Button, Kbd, Loader, Text } from '@mantine/core'
import { IconPlayerPlay, IconSend } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { OpenedItem, Participation } from '../api/taking'
import { Two } from '../challenge/DraftNote'
import { EditorTools } from '../challenge/EditorTools'
import { Results } from '../challenge/Results'
import { useSettings } from '../challenge/settings'
import { marksOf } from '../challenge/Workplace'
import css from '../pages/Challenge.module.css'
import type { Keeper } from './keeper'
import { useWork } from './keepers'
import own from './Taking.module.css'
import { hourOf } from './time'
import { useSending } from './useSending'

const Editor = lazy(() => import('../challenge/Editor'))

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
  const [full, setFull] = useState(false)
  const [tidy, setTidy] = useState(0)
  const [sent, setSent] = useState('')
  const work = useWork(keeper)
  const { state, held, send } = useSending(participation, opened, onNews)
  const busy = state.phase === 'sending' || state.phase === 'queued' || state.phase === 'judging'
  const marks = useMemo(() => marksOf(state, sent), [state, sent])
  const judge = (kind: 'run' | 'submit') => {
    if (busy || closed) return
    setSent(work.text)
    send({ kind, source: work.text })
    keeper.flush()
  }
  return (
    <section className={css.right} data-full={full || undefined} aria-label="Your answer">
      <div className={css.tools}>
        <Text size="sm" c="dimmed">
          answer.py
        </Text>
        <Other keeper={keeper} />
        <span className={css.gap} />
        <EditorTools
          settings={settings}
          onSettings={setSettings}
          full={full}
          onFull={() => setFull(!full)}
          onTidy={() => setTidy(tidy + 1)}
          {...(work.text !== starter && !closed && { onReset: () => keeper.replace(starter) })}
        />
      </div>
      <div className={css.editor}>
        <Suspense fallback={<Loader m="md" size="sm" />}>
          <Editor
            label="Your answer, Python"
            value={work.text}
            onChange={keeper.change}
            onRun={() => judge('run')}
            onSubmit={() => judge('submit')}
            settings={settings}
            closed={closed}
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
          disabled={busy || closed || !opened.challenge?.samples.length}
          onClick={() => judge('run')}
        >
          Run samples
        </Button>
        <Button
          leftSection={<IconSend size={16} />}
          loading={busy && state.kind === 'submit'}
          disabled={busy || closed}
          onClick={() => judge('submit')}
        >
          Submit
        </Button>
        <Note closed={closed} message={work.status === 'refused' ? work.message : undefined} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={css.results} aria-label="Results" tabIndex={0}>
        {held ? <Held /> : <Results state={state} />}
      </section>
    </section>
  )
}

function Note({ closed, message }: { closed: boolean; message: string | undefined }) {
  if (closed || message)
    return (
      <Text size="sm" role="status">
        {message ?? 'The time is over. What had arrived by then counts; an answer on its way counts too.'}
      </Text>
    )
  return (
    <Text size="xs" c="dimmed" visibleFrom="lg">
      <Kbd size="xs">Ctrl</Kbd> + <Kbd size="xs">Enter</Kbd> submits
    </Text>
  )
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
