import { Button, Loader, Text } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { type EditorSettings, LazyEditor, type TextChange } from '@/features/editor'
import { ConnectionLost, type Judging, queueMessage, SubmissionError } from '@/features/judging'
import css from './RunnableEditor.module.css'

interface Props {
  label: string
  value: string
  onChange: (text: string, change: TextChange) => void
  settings: EditorSettings
  height: number
  /** Name and icon of the button that runs the text. */
  action: string
  icon: ReactNode
  /** The state of the last run. */
  state: Judging
  onRun: () => void
  onCancel: (id: string) => void
  /** Whether running is disabled. */
  closed: boolean
  /** Whether the text cannot be changed. */
  readOnly?: boolean
  /** Shown in the bar while nothing runs. */
  note: ReactNode
  /** Further controls in the bar. */
  controls?: ReactNode
}

/** A small editor with a bar below it: a button that runs the text, one that cancels the run, and the run's state. */
export function RunnableEditor(props: Props) {
  const { label, value, onChange, settings, height, action, icon, state, onRun, onCancel } = props
  const { closed, readOnly = false, note, controls } = props
  const busy = state.phase === 'sending' || state.phase === 'queued' || state.phase === 'judging'
  const go = () => {
    if (!busy && !closed) onRun()
  }
  return (
    <>
      <div className={css.editor} style={{ height }}>
        <Suspense fallback={<Loader m="md" size="sm" />}>
          <LazyEditor
            label={label}
            value={value}
            onChange={onChange}
            onRun={go}
            onSubmit={go}
            settings={settings}
            closed={readOnly}
          />
        </Suspense>
      </div>
      <div className={css.bar}>
        <Button size="xs" variant="default" leftSection={icon} loading={busy} disabled={closed} onClick={go}>
          {action}
        </Button>
        {busy && state.id && (
          <Button size="xs" variant="subtle" color="gray" onClick={() => state.id && onCancel(state.id)}>
            Cancel
          </Button>
        )}
        {controls}
        <Text size="xs" c="dimmed" role="status">
          {busy ? queueMessage(state) : note}
        </Text>
      </div>
      {state.lost && <ConnectionLost />}
      {state.phase === 'refused' && state.error && <SubmissionError error={state.error} />}
    </>
  )
}
