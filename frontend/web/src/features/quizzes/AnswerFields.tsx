import { ActionIcon, Checkbox, Group, Paper, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Schemas } from '@/api/client'
import { Inline } from '@/shared/markdown/Markdown'
import type { EnteredAnswer, QuestionView } from './enteredAnswer'

interface Props {
  question: QuestionView
  value: EnteredAnswer
  onChange: (value: EnteredAnswer) => void
  mark?: Schemas['MarkView']
}

/** The input for a question, by its kind; once marked, with the correct answer beside it. */
export function AnswerFields(props: Props) {
  switch (props.question.kind) {
    case 'choice':
      return <Choice {...props} />
    case 'match':
      return <Match {...props} />
    case 'order':
      return <Order {...props} />
    default:
      return props.question.ask === 'error' ? <Exception {...props} /> : <Typed {...props} />
  }
}

const right = (mark: Props['mark'], id: string) =>
  Array.isArray(mark?.key) ? (mark.key as string[]).includes(id) : undefined

function Sign({ good }: { good?: boolean }) {
  return good === true ? <b style={{ color: 'var(--g-good)' }}> ✓</b> : null
}

function Choice({ question, value, onChange, mark }: Props) {
  const chosen = value as string[]
  const parts = question.parts ?? []
  const label = (part: Schemas['PartView']) => (
    <>
      <Inline source={part.text} />
      <Sign good={right(mark, part.id)} />
    </>
  )
  if (question.single)
    return (
      <Radio.Group value={chosen[0] ?? ''} onChange={id => onChange([id])} aria-label="Options">
        <Stack gap="sm">
          {parts.map(part => (
            <Radio key={part.id} value={part.id} disabled={!!mark} label={label(part)} />
          ))}
        </Stack>
      </Radio.Group>
    )
  return (
    <Checkbox.Group value={chosen} onChange={onChange} aria-label="Options">
      <Text size="sm" c="dimmed" mb="xs">
        More than one may be correct.
      </Text>
      <Stack gap="sm">
        {parts.map(part => (
          <Checkbox key={part.id} value={part.id} disabled={!!mark} label={label(part)} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

function Match({ question, value, onChange, mark }: Props) {
  const pairs = value as Record<string, string>
  const others = question.others ?? []
  const text = (id?: string) => others.find(each => each.id === id)?.text ?? ''
  const key = mark?.key as Record<string, string> | undefined
  return (
    <Stack gap="sm">
      {(question.parts ?? []).map(part => (
        <Paper key={part.id} p="sm">
          <Inline source={part.text} />
          <Select
            mt={6}
            aria-label={part.text}
            placeholder="Choose a match"
            data={others.map(each => ({ value: each.id, label: each.text }))}
            value={pairs[part.id] ?? null}
            disabled={!!mark}
            onChange={id => id && onChange({ ...pairs, [part.id]: id })}
          />
          {key && key[part.id] !== pairs[part.id] && (
            <Text size="sm" c="var(--g-good)" mt={4}>
              ✓ {text(key[part.id])}
            </Text>
          )}
        </Paper>
      ))}
    </Stack>
  )
}

function Order({ question, value, onChange, mark }: Props) {
  const order = value as string[]
  const text = (id: string) => question.parts?.find(part => part.id === id)?.text ?? ''
  const move = (from: number, to: number) => {
    const next = [...order]
    const [moved] = next.splice(from, 1)
    if (moved !== undefined) next.splice(to, 0, moved)
    onChange(next)
  }
  const shown = mark ? (mark.key as string[]) : order
  return (
    <Stack gap="xs">
      {mark && (
        <Text size="sm" c="dimmed">
          The correct order:
        </Text>
      )}
      {shown.map((id, index) => (
        <Paper key={id} p="xs">
          <Group justify="space-between" wrap="nowrap">
            <span style={{ overflowWrap: 'anywhere' }}>
              {index + 1}. <Inline source={text(id)} />
            </span>
            {!mark && (
              <Group gap={4} wrap="nowrap">
                <ActionIcon
                  variant="default"
                  aria-label={`Move item ${index + 1} up`}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  <IconArrowUp size={15} />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  aria-label={`Move item ${index + 1} down`}
                  disabled={index === order.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  <IconArrowDown size={15} />
                </ActionIcon>
              </Group>
            )}
          </Group>
        </Paper>
      ))}
    </Stack>
  )
}

function Exception({ question, value, onChange, mark }: Props) {
  return (
    <Select
      mt="md"
      maw={320}
      label="Which exception does it raise?"
      data={(question.others ?? []).map(each => ({ value: each.id, label: each.text }))}
      value={(value as string) || null}
      disabled={!!mark}
      onChange={id => onChange(id ?? '')}
      description={mark && mark.key !== null && `Correct answer: ${mark.key}`}
    />
  )
}

const ASKS: Record<string, { name: string; example?: string }> = {
  shape: { name: 'Shape', example: '(2, 3)' },
  dtype: { name: 'dtype', example: 'float32' },
  value: { name: 'Value' },
}

/** The label of the field, such as «Shape of q, for example (2, 3)». */
function labelOf({ ask, of }: QuestionView): string {
  if (!ask) return 'Number'
  const { name, example } = ASKS[ask] ?? { name: 'Your answer' }
  return `${name}${of ? ` of ${of}` : ''}${example ? `, for example ${example}` : ''}`
}

function Typed({ question, value, onChange, mark }: Props) {
  return (
    <TextInput
      mt="md"
      maw={320}
      label={labelOf(question)}
      rightSection={question.unit ? <Text size="xs">{question.unit}</Text> : undefined}
      rightSectionWidth={question.unit ? 90 : undefined}
      value={String(value)}
      disabled={!!mark}
      autoComplete="off"
      spellCheck={false}
      onChange={event => onChange(event.currentTarget.value)}
      description={mark && mark.key !== null && `Correct answer: ${mark.key}`}
    />
  )
}
