import { Button, Group, Input, Paper, SegmentedControl, Select, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Markdown } from '@/shared/markdown/Markdown'
import css from '../Builder.module.css'
import { usePlanContext } from '../context'
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
  const [look, setLook] = useState('write')
  return (
    <div>
      <Group justify="space-between" align="flex-end" mb={6}>
        <div>
          <Input.Label htmlFor="instructions">Instructions</Input.Label>
          <Input.Description>Markdown.</Input.Description>
        </div>
        <SegmentedControl
          size="xs"
          aria-label="Instructions: write or preview"
          data={[
            { value: 'write', label: 'Write' },
            { value: 'read', label: 'Preview' },
          ]}
          value={look}
          onChange={setLook}
        />
      </Group>
      {look === 'write' ? (
        <Textarea
          id="instructions"
          autosize
          minRows={6}
          maxRows={24}
          maxLength={20_000}
          value={form.instructions}
          error={problem('instructions')}
          onChange={event => change({ do: 'set', fields: { instructions: event.currentTarget.value } })}
        />
      ) : (
        <Paper p="md" className={css.rendered}>
          {form.instructions ? (
            <Markdown source={form.instructions} />
          ) : (
            <Text c="dimmed">No instructions yet.</Text>
          )}
        </Paper>
      )}
    </div>
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
