import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import css from '../Builder.module.css'
import { type DraftAnswer, QUESTION_LIMITS, type QuestionErrors } from '../plan/questions'

interface Props<Answer extends DraftAnswer = DraftAnswer> {
  answer: Answer
  errors: QuestionErrors
  onChange: (answer: DraftAnswer) => void
}

/** The right answer to a question, or what a good one says. Candidates do not see it. */
export function ExpectedAnswer({ answer, errors, onChange }: Props) {
  if (answer.type === 'choice') return <Options answer={answer} errors={errors} onChange={onChange} />
  if (answer.type === 'number') return <RightNumber answer={answer} errors={errors} onChange={onChange} />
  return <GoodText answer={answer} errors={errors} onChange={onChange} />
}

type Of<Type extends DraftAnswer['type']> = Extract<DraftAnswer, { type: Type }>

function Options({ answer, errors, onChange }: Props<Of<'choice'>>) {
  const { options } = answer
  const set = (at: number, fields: Partial<(typeof options)[number]>) =>
    onChange({
      ...answer,
      options: options.map((each, place) => (place === at ? { ...each, ...fields } : each)),
    })
  return (
    <fieldset className={css.options}>
      <legend>Options</legend>
      <Text size="sm" c="dimmed" mb="xs">
        Mark every option that is right. Candidates see the options in random order, and get the points if
        they choose exactly the right ones.
      </Text>
      <Stack gap="sm">
        {options.map((option, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an option is identified by its place
          <div key={at} className={css.option}>
            <Checkbox
              mt={8}
              aria-label={`Option ${at + 1} is right`}
              checked={option.right}
              onChange={event => set(at, { right: event.currentTarget.checked })}
            />
            <div>
              <TextInput
                aria-label={`Option ${at + 1}`}
                placeholder={`Option ${at + 1}`}
                maxLength={QUESTION_LIMITS.option}
                value={option.text}
                error={errors[`options.${at}`]}
                onChange={event => set(at, { text: event.currentTarget.value })}
              />
              {!option.right && (
                <TextInput
                  mt={4}
                  size="xs"
                  variant="unstyled"
                  className={css.reason}
                  aria-label={`Why option ${at + 1} is wrong`}
                  placeholder="Why it is wrong, shown with the result (optional)"
                  maxLength={1000}
                  value={option.reason}
                  onChange={event => set(at, { reason: event.currentTarget.value })}
                />
              )}
            </div>
            <ActionIcon
              mt={6}
              variant="subtle"
              color="gray"
              aria-label={`Remove option ${at + 1}`}
              disabled={options.length <= 2}
              onClick={() => onChange({ ...answer, options: options.toSpliced(at, 1) })}
            >
              <IconX size={15} />
            </ActionIcon>
          </div>
        ))}
      </Stack>
      {errors.options && (
        <Text size="sm" c="var(--g-bad)" mt="xs">
          {errors.options}
        </Text>
      )}
      <Button
        mt="sm"
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={14} />}
        disabled={options.length >= QUESTION_LIMITS.options}
        onClick={() => onChange({ ...answer, options: [...options, { text: '', right: false, reason: '' }] })}
      >
        Add option
      </Button>
    </fieldset>
  )
}

const numberOrEmpty = (value: string | number) => (typeof value === 'number' ? value : '')

function RightNumber({ answer, errors, onChange }: Props<Of<'number'>>) {
  return (
    <Group grow align="flex-start">
      <NumberInput
        label="Right answer"
        hideControls
        value={answer.value}
        error={errors.value}
        onChange={value => onChange({ ...answer, value: numberOrEmpty(value) })}
      />
      <NumberInput
        label="Tolerance"
        description="How far an answer may be off and still be right"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        hideControls
        min={0}
        value={answer.tolerance}
        error={errors.tolerance}
        onChange={value => onChange({ ...answer, tolerance: numberOrEmpty(value) })}
      />
    </Group>
  )
}

function GoodText({ answer, onChange }: Props<Of<'text'>>) {
  return (
    <>
      <Textarea
        label="What a good answer says"
        description="Only reviewers see it, beside the candidate’s text. They give the points."
        autosize
        minRows={2}
        maxRows={10}
        maxLength={5000}
        value={answer.guide}
        onChange={event => onChange({ ...answer, guide: event.currentTarget.value })}
      />
      <NumberInput
        label="Maximum number of characters"
        w={240}
        min={1}
        max={QUESTION_LIMITS.characters}
        clampBehavior="strict"
        allowDecimal={false}
        allowNegative={false}
        value={answer.max_length}
        onChange={value => typeof value === 'number' && onChange({ ...answer, max_length: value })}
      />
    </>
  )
}
