import { Button, Group, Text, Textarea } from '@mantine/core'
import { IconCode, IconEyeOff } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import { isOverLimit, lengthNote } from '@/shared/forms/lengthLimit'
import { CommentText } from '@/shared/markdown/Markdown'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { changeLines } from './changeLines'
import css from './Discussion.module.css'

const LONGEST = 4000

interface Props {
  label: string
  button: string
  placeholder?: string
  text: string
  onChange: (text: string) => void
  onSend: (text: string) => void
  onCancel?: () => void
  busy: boolean
  error: Error | null
}

/** Writes or edits a comment, with a preview. */
export function CommentForm({
  label,
  button,
  placeholder,
  text,
  onChange,
  onSend,
  onCancel,
  ...state
}: Props) {
  const [preview, setPreview] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const empty = text.trim() === ''
  const tooLong = isOverLimit(text.trim(), LONGEST)
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault()
    if (empty || tooLong || state.busy) return
    setPreview(false)
    onSend(text.trim())
  }
  const wrap = (change: (lines: string) => string) => {
    const { selectionStart: from = 0, selectionEnd: to = 0 } = field.current ?? {}
    onChange(changeLines(text, from, to, change))
    field.current?.focus()
  }
  return (
    <form onSubmit={send} className={css.form}>
      {preview && !empty ? (
        <section className={css.preview} aria-label={`Preview: ${label}`}>
          <CommentText source={text} />
        </section>
      ) : (
        <Textarea
          ref={field}
          aria-label={label}
          placeholder={placeholder}
          autosize
          minRows={onCancel ? 2 : 3}
          maxRows={16}
          value={text}
          autoFocus={onCancel !== undefined}
          error={
            lengthNote(text.trim(), LONGEST) ??
            (state.error instanceof ApiError ? state.error.messageFor('text') : undefined)
          }
          onChange={event => onChange(event.currentTarget.value)}
          onKeyDown={event => (event.ctrlKey || event.metaKey) && event.key === 'Enter' && send(event)}
        />
      )}
      {state.error && <ErrorMessage error={state.error} />}
      <Group gap={6} mt={6}>
        <Button type="submit" size="xs" disabled={empty || tooLong} loading={state.busy}>
          {button}
        </Button>
        {onCancel && (
          <Button size="xs" variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          disabled={empty}
          aria-pressed={preview}
          onClick={() => setPreview(!preview)}
        >
          Preview
        </Button>
        {!preview && (
          <>
            <Tool
              icon={<IconCode size={15} />}
              onClick={() => wrap(lines => `\`\`\`python\n${lines}\n\`\`\``)}
            >
              Code
            </Tool>
            <Tool icon={<IconEyeOff size={15} />} onClick={() => wrap(lines => lines.replace(/^/gm, '>! '))}>
              Spoiler
            </Tool>
          </>
        )}
        <Text size="xs" c="dimmed" className={css.hint}>
          Markdown and $formulas$ work.
        </Text>
      </Group>
    </form>
  )
}

function Tool({ icon, onClick, children }: { icon: ReactNode; onClick: () => void; children: ReactNode }) {
  return (
    <Button
      size="xs"
      px={8}
      variant="subtle"
      color="gray"
      c="var(--g-soft)"
      leftSection={icon}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
