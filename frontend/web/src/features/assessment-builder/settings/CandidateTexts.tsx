import { Button, Select, Stack, Textarea } from '@mantine/core'
import { usePlanContext } from '../context'
import { MarkdownField } from '../MarkdownField'
import { TEAM_SECTION } from '../plan/availableItems'
import { itemsOf } from '../plan/form'
import { defaultHonourOf } from '../plan/honour'
import { SettingsSection } from '../SettingsSection'

/** All texts that the candidate reads before the start. */
export function CandidateTexts() {
  const { form, change, problem } = usePlanContext()
  return (
    <SettingsSection
      id="words"
      title="Texts for candidates"
      hint="Candidates see these texts before they start."
    >
      <Stack gap="lg">
        <Instructions />
        <Textarea
          label="Allowed resources"
          description="Which documentation and tools candidates may use."
          autosize
          minRows={2}
          maxLength={2000}
          value={form.allowed}
          error={problem('allowed')}
          onChange={event => change({ do: 'set', fields: { allowed: event.currentTarget.value } })}
        />
        <div>
          <Textarea
            label="Honour statement"
            description="Candidates agree to it before they start. Leave empty for none."
            autosize
            minRows={2}
            maxLength={2000}
            value={form.honour}
            error={problem('honour')}
            onChange={event => change({ do: 'set', fields: { honour: event.currentTarget.value } })}
          />
          {form.honour !== defaultHonourOf(form) && (
            <Button
              size="compact-sm"
              variant="subtle"
              mt={6}
              onClick={() => change({ do: 'set', fields: { honour: defaultHonourOf(form) } })}
            >
              Use the default text
            </Button>
          )}
        </div>
        <Practice />
      </Stack>
    </SettingsSection>
  )
}

function Instructions() {
  const { form, change, problem } = usePlanContext()
  return (
    <MarkdownField
      id="instructions"
      label="Instructions"
      description="Markdown."
      minRows={6}
      maxRows={24}
      maxLength={20_000}
      value={form.instructions}
      error={problem('instructions')}
      onChange={instructions => change({ do: 'set', fields: { instructions } })}
    />
  )
}

/** A practice challenge to try the editor with; it is not part of the assessment. */
function Practice() {
  const { form, things, change, problem } = usePlanContext()
  const chosen = itemsOf(form).flatMap(item => item.choices)
  const free = [...(things?.values() ?? [])].filter(
    ({ choice, section }) =>
      choice.kind === 'challenge' &&
      section !== TEAM_SECTION &&
      !chosen.some(each => each.kind === 'challenge' && each.name === choice.name),
  )
  return (
    <Select
      label="Practice challenge"
      description="Lets candidates try the editor before the clock starts. It cannot be part of the assessment."
      placeholder="None"
      searchable
      clearable
      data={free.map(each => ({ value: each.choice.name, label: each.title }))}
      value={form.practice}
      error={problem('practice')}
      onChange={practice => change({ do: 'set', fields: { practice } })}
    />
  )
}
