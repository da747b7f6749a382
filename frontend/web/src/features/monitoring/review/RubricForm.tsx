import { ActionIcon, Button, Group, NumberInput, Text, Textarea, TextInput } from '@mantine/core'
import { IconArrowUp, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '@/api/client'
import { newIdempotencyKey } from '@/api/idempotencyKey'
import { ConfirmDialog } from '@/shared/forms/ConfirmDialog'
import { Loaded } from '@/shared/ui/QueryStates'
import { type Place, rubric, useRubric } from '../requests'
import css from './CandidateReport.module.css'

type Criterion = Schemas['Criterion'] & { key: string }

const MOST = 20
const USUAL = 4
const fresh = (): Criterion => ({ key: newIdempotencyKey(), title: '', description: '', levels: USUAL })

/** Edits the team's criteria, the whole rubric at once. */
export function RubricForm({ at, onClose }: { at: Place; onClose: () => void }) {
  return (
    <Loaded query={useQuery(rubric(at))}>{found => <Form at={at} found={found} onClose={onClose} />}</Loaded>
  )
}

function Form({ at, found, onClose }: { at: Place; found: Schemas['RubricView']; onClose: () => void }) {
  const save = useRubric(at)
  // The edit is based on the rubric as it was when the form opened. The service rejects it if someone else changed the rubric
  // since.
  const [version] = useState(found.version)
  const [criteria, setCriteria] = useState<Criterion[]>(() =>
    found.criteria.length ? found.criteria.map(each => ({ ...each, key: each.id })) : [fresh()],
  )
  const change = (key: string, more: Partial<Criterion>) =>
    setCriteria(all => all.map(each => (each.key === key ? { ...each, ...more } : each)))
  const up = (place: number) =>
    setCriteria(all => {
      const [moved, ...rest] = [...all.slice(place, place + 1), ...all.filter((_, at) => at !== place)]
      return moved ? [...rest.slice(0, place - 1), moved, ...rest.slice(place - 1)] : all
    })
  const send = () =>
    save.mutate({ version, criteria: criteria.map(({ key: _, ...each }) => each) }, { onSuccess: onClose })
  return (
    <ConfirmDialog
      title="Rubric for this assessment"
      label="Save rubric"
      onClose={onClose}
      onSend={send}
      busy={save.isPending}
      error={save.error}
      disabled={criteria.some(each => !each.title.trim())}
    >
      <Text size="sm" c="dimmed" mb="sm">
        It applies to every candidate. Existing scores are kept when you change it.
      </Text>
      {criteria.map((each, place) => (
        <fieldset key={each.key} className={css.editing}>
          <legend>Criterion {place + 1}</legend>
          <Group gap="xs" wrap="nowrap" align="flex-end">
            <TextInput
              flex={1}
              label="Title"
              required
              maxLength={120}
              value={each.title}
              onChange={event => change(each.key, { title: event.currentTarget.value })}
            />
            <NumberInput
              w={112}
              label="Highest score"
              min={1}
              max={10}
              clampBehavior="strict"
              allowDecimal={false}
              value={each.levels}
              onChange={levels => typeof levels === 'number' && change(each.key, { levels })}
            />
            <ActionIcon
              size="lg"
              variant="default"
              aria-label={`Move criterion ${place + 1} up`}
              disabled={place === 0}
              onClick={() => up(place)}
            >
              <IconArrowUp size={16} />
            </ActionIcon>
            <ActionIcon
              size="lg"
              variant="default"
              aria-label={`Remove criterion ${place + 1}`}
              onClick={() => setCriteria(all => all.filter(other => other.key !== each.key))}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
          <Textarea
            mt={6}
            aria-label={`Description of criterion ${place + 1}`}
            placeholder="What is assessed, and what each score means"
            autosize
            minRows={1}
            maxLength={1000}
            value={each.description ?? ''}
            onChange={event => change(each.key, { description: event.currentTarget.value })}
          />
        </fieldset>
      ))}
      <Button
        variant="default"
        size="xs"
        disabled={criteria.length >= MOST}
        onClick={() => setCriteria(all => [...all, fresh()])}
      >
        Add criterion
      </Button>
    </ConfirmDialog>
  )
}
