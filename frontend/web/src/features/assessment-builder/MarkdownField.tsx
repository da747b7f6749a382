import { Group, Input, Paper, SegmentedControl, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Markdown } from '@/shared/markdown/Markdown'
import css from './Builder.module.css'

interface Props {
  id: string
  label: string
  description?: string
  placeholder?: string
  minRows: number
  maxRows: number
  maxLength: number
  value: string
  error?: string
  onChange: (value: string) => void
}

/** A field for Markdown, with a preview in its place. */
export function MarkdownField({ label, description, value, onChange, ...field }: Props) {
  const [look, setLook] = useState('write')
  return (
    <div>
      <Group justify="space-between" align="flex-end" mb={6}>
        <div>
          <Input.Label htmlFor={field.id}>{label}</Input.Label>
          {description && <Input.Description>{description}</Input.Description>}
        </div>
        <SegmentedControl
          size="xs"
          aria-label={`${label}: write or preview`}
          data={[
            { value: 'write', label: 'Write' },
            { value: 'read', label: 'Preview' },
          ]}
          value={look}
          onChange={setLook}
        />
      </Group>
      {look === 'write' ? (
        <Textarea {...field} autosize value={value} onChange={event => onChange(event.currentTarget.value)} />
      ) : (
        <Paper component="section" aria-label={`Preview: ${label}`} p="md" className={css.rendered}>
          {value.trim() ? <Markdown source={value} /> : <Text c="dimmed">Nothing is written yet.</Text>}
        </Paper>
      )}
    </div>
  )
}
