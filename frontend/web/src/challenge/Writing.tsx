import { Button, Kbd, Loader, Text } from '@mantine/core'
import { IconPlayerPlay, IconSend } from '@tabler/icons-react'
import { type ComponentProps, lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import css from '../pages/Challenge.module.css'
import { EditorTools } from './EditorTools'
import type { Mark } from './lint'
import type { Settings } from './settings'
import type { Judging } from './useJudging'

const Editor = lazy(() => import('./Editor'))

interface Props {
  text: string
  onChange: ComponentProps<typeof Editor>['onChange']
  /** Absent while the starter is what stands there. */
  onReset?: () => void
  settings: Settings
  onSettings: (settings: Settings) => void
  state: Judging
  onSend: (kind: 'run' | 'submit') => void
  /** Nothing can be written or sent any more. */
  closed?: boolean
  samples?: boolean
  /** How the text is kept, beside its name. */
  kept: ReactNode
  /** Beside the buttons. */
  aside: ReactNode
  /** What came of it. */
  children: ReactNode
}

/** Where an answer is written and sent: its tools, the editor, the buttons, and below them what came of it. */
export function Writing(props: Props) {
  const { text, settings, state, closed = false, samples = true } = props
  const [full, setFull] = useState(false)
  const [tidy, setTidy] = useState(0)
  const [sent, setSent] = useState('')
  const busy = state.phase === 'sending' || state.phase === 'queued' || state.phase === 'judging'
  const marks = useMemo(() => marksOf(state, sent), [state, sent])
  const judge = (kind: 'run' | 'submit') => {
    if (busy || closed) return
    setSent(text)
    props.onSend(kind)
  }
  return (
    <section className={css.right} data-full={full || undefined} aria-label="Your answer">
      <div className={css.tools}>
        <Text size="sm" c="dimmed">
          answer.py
        </Text>
        {props.kept}
        <span className={css.gap} />
        <EditorTools
          settings={settings}
          onSettings={props.onSettings}
          full={full}
          onFull={() => setFull(!full)}
          onTidy={() => setTidy(tidy + 1)}
          {...(props.onReset && { onReset: props.onReset })}
        />
      </div>
      <div className={css.editor}>
        <Suspense fallback={<Loader m="md" size="sm" />}>
          <Editor
            label="Your answer, Python"
            value={text}
            onChange={props.onChange}
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
          disabled={busy || closed || !samples}
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
        {props.aside}
      </div>
      {props.children}
    </section>
  )
}

/** The key that submits. */
export function SubmitKey() {
  return (
    <Text size="xs" c="dimmed" visibleFrom="lg">
      <Kbd size="xs">Ctrl</Kbd> + <Kbd size="xs">Enter</Kbd> submits
    </Text>
  )
}

/** Lines of what was sent that an outcome points at. */
function marksOf(state: Judging, sent: string): Mark[] {
  if (!sent) return []
  const lines = sent.split('\n')
  const mark = (line: number | null, message: string): Mark[] =>
    line == null ? [] : [{ line, text: lines[line - 1] ?? '', message }]
  const error = state.end?.compile_error
  const raised = state.tests.flatMap(each => mark(each.line, each.message))
  return [...(error ? mark(error.line, error.message) : []), ...raised]
}
