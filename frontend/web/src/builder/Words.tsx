import { Button, Group, Input, Paper, SegmentedControl, Select, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Markdown } from '../parts/Markdown'
import css from './Builder.module.css'
import { useWork } from './context'
import { itemsOf } from './form'
import { Part } from './Part'
import { HONOUR } from './starts'
import { OWN } from './things'

/** Everything that the candidate reads before the start. */
export function Words() {
  const { form, change, problem } = useWork()
  return (
    <Part id="words" title="What the candidate reads" hint="All of it stands on the page before the start.">
      <Stack gap="lg">
        <Instructions />
        <Textarea
          label="What is allowed"
          description="Which documentation, which tools."
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
            description="The candidate agrees to it before the start. Empty: there is none."
            autosize
            minRows={2}
            maxLength={2000}
            value={form.honour}
            error={problem('honour')}
            onChange={event => change({ do: 'set', fields: { honour: event.currentTarget.value } })}
          />
          {form.honour !== HONOUR && (
            <Button
              size="compact-sm"
              variant="subtle"
              mt={6}
              onClick={() => change({ do: 'set', fields: { honour: HONOUR } })}
            >
              Use the usual words
            </Button>
          )}
        </div>
        <Practice />
      </Stack>
    </Part>
  )
}

function Instructions() {
  const { form, change, problem } = useWork()
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
          aria-label="Instructions: write or read"
          data={[
            { value: 'write', label: 'Write' },
            { value: 'read', label: 'Read' },
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
            <Text c="dimmed">Nothing is written yet.</Text>
          )}
        </Paper>
      )}
    </div>
  )
}

/** Something to try the editor with, which is not asked. */
function Practice() {
  const { form, things, change, problem } = useWork()
  const asked = itemsOf(form).flatMap(item => item.choices)
  const free = [...(things?.values() ?? [])].filter(
    ({ choice, section }) =>
      choice.kind === 'challenge' &&
      section !== OWN &&
      !asked.some(each => each.kind === 'challenge' && each.name === choice.name),
  )
  return (
    <Select
      label="Practice challenge"
      description="To get used to the editor before the time runs. It cannot be part of the assessment."
      placeholder="none"
      searchable
      clearable
      data={free.map(each => ({ value: each.choice.name, label: each.title }))}
      value={form.practice}
      error={problem('practice')}
      onChange={practice => change({ do: 'set', fields: { practice } })}
    />
  )
}
