import { Button, Kbd, Loader, Text } from '@mantine/core'
import { IconPlayerPlay, IconSend } from '@tabler/icons-react'
import { type ComponentProps, type ReactNode, Suspense, useMemo, useState } from 'react'
import type { EditorSettings, Mark, SharedText } from '@/features/editor'
import { EditorToolbar, LazyEditor } from '@/features/editor'
import type { Judging } from '@/features/judging'
import { useShowView } from './views'
import css from './Workspace.module.css'

interface Props {
  text: string
  onChange?: ComponentProps<typeof LazyEditor>['onChange']
  /** Provides the text instead: a document that several people edit. */
  shared?: SharedText
  /** The name of the editor; “Your answer” if it is the user's alone. */
  label?: string
  /** Absent while the text is the starter. */
  onReset?: () => void
  settings: EditorSettings
  onSettings: (settings: EditorSettings) => void
  state: Judging
  /** The text that `state` refers to; empty while unknown. */
  judged: string
  onSend: (kind: 'run' | 'submit') => void
  /** Whether writing and submitting are disabled. */
  closed?: boolean
  samples?: boolean
  /** Whether an answer can be submitted now; samples can be run in any case. */
  canSubmit?: boolean
  /** Where the text is saved; shown beside its name. */
  saveStatus: ReactNode
  /** Shown beside the buttons. */
  aside: ReactNode
  /** The results. */
  children: ReactNode
}

const UNFORMATTED = 'Not formatted: this is not valid Python.'

/** Where the user writes and submits an answer: the toolbar, the editor, the buttons, and the results below. */
export function AnswerEditor(props: Props) {
  const {
    text,
    settings,
    state,
    closed = false,
    samples = true,
    canSubmit = true,
    label = 'Your answer',
  } = props
  const [full, setFull] = useState(false)
  const [format, setFormat] = useState(0)
  const [unformatted, setUnformatted] = useState('')
  const busy = state.phase === 'sending' || state.phase === 'queued' || state.phase === 'judging'
  const marks = useMemo(() => marksOf(state, props.judged), [state, props.judged])
  const showView = useShowView()
  const judge = (kind: 'run' | 'submit') => {
    if (busy || closed || (kind === 'submit' && !canSubmit)) return
    showView('results')
    props.onSend(kind)
  }
  return (
    <section className={css.right} data-full={full || undefined} aria-label={label}>
      <div className={css.tools}>
        <Text size="sm" c="dimmed">
          answer.py
        </Text>
        {props.saveStatus}
        {unformatted && (
          <Text size="xs" c="dimmed" role="status">
            {unformatted}
          </Text>
        )}
        <span className={css.gap} />
        <EditorToolbar
          settings={settings}
          onSettings={props.onSettings}
          full={full}
          onFull={() => setFull(!full)}
          onFormat={() => setFormat(format + 1)}
          {...(props.onReset && { onReset: props.onReset })}
        />
      </div>
      <div className={css.editor} id="editor" tabIndex={-1}>
        <Suspense fallback={<Loader m="md" size="sm" />}>
          <LazyEditor
            label={`${label}, Python`}
            value={text}
            {...(props.onChange && { onChange: props.onChange })}
            {...(props.shared && { shared: props.shared })}
            onRun={() => judge('run')}
            onSubmit={() => judge('submit')}
            settings={settings}
            closed={closed}
            marks={marks}
            format={format}
            onFormatted={error => setUnformatted(error ? UNFORMATTED : '')}
          />
        </Suspense>
      </div>
      <div className={css.actions} id="send" tabIndex={-1}>
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
          disabled={busy || closed || !canSubmit}
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

/** The keyboard shortcut for submitting. */
export function SubmitShortcutHint() {
  return (
    <Text size="xs" c="dimmed" visibleFrom="lg">
      <Kbd size="xs">Ctrl+Enter</Kbd> to submit
    </Text>
  )
}

/** Lines of the submitted text that a result points at. */
function marksOf(state: Judging, sent: string): Mark[] {
  if (!sent) return []
  const lines = sent.split('\n')
  const mark = (line: number | null, message: string): Mark[] =>
    line == null ? [] : [{ line, text: lines[line - 1] ?? '', message }]
  const error = state.end?.compile_error
  const raised = state.tests.flatMap(each => mark(each.line, each.message))
  return [...(error ? mark(error.line, error.message) : []), ...raised]
}
