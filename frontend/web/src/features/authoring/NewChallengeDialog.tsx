import { Button, Group, Select, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import { Dialog } from '@/shared/ui/Dialog'
import { teamChallenge, teamChallenges } from './requests'

type New = Schemas['NewOwnChallenge']

const KINDS = [
  { value: 'function', label: 'Function' },
  { value: 'class', label: 'Class' },
  { value: 'module', label: 'Module (nn.Module)' },
  { value: 'autograd_function', label: 'Autograd function' },
]
const FORMS = [
  { value: 'write', label: 'Write code' },
  { value: 'fix', label: 'Find and fix' },
]

/** Asks for the name of a new challenge and the options of its scaffold. */
export function NewChallengeDialog({ teamId, onClose }: { teamId: string; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [kind, setKind] = useState<string | null>('function')
  const [form, setForm] = useState<string | null>('write')
  const make = useMutation({
    mutationFn: (body: New) =>
      unwrap(api.POST('/api/teams/{team_id}/challenges', { params: { path: { team_id: teamId } }, body })),
    onSuccess: made => {
      client.invalidateQueries({ queryKey: teamChallenges(teamId).queryKey, exact: true })
      client.setQueryData(teamChallenge(teamId, made.id).queryKey, made)
      navigate(`/teams/${teamId}/challenges/${made.id}`)
    },
  })
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const slug = String(new FormData(event.currentTarget).get('slug')).trim()
    make.mutate({ slug, kind: (kind ?? 'function') as New['kind'], form: (form ?? 'write') as New['form'] })
  }
  const refused = make.error instanceof ApiError ? make.error : undefined
  return (
    <Dialog title="New challenge" onClose={onClose}>
      <form onSubmit={send}>
        <TextInput
          name="slug"
          label="Name"
          description="Lowercase words joined by hyphens, for URLs. Candidates see the title instead."
          placeholder="masked-mean"
          required
          maxLength={80}
          pattern="[a-z0-9]+(-[a-z0-9]+)*"
          error={refused?.messageFor('slug') ?? refused?.message}
          data-autofocus
        />
        <Group grow mt="md" align="start">
          <Select label="Answer type" data={KINDS} value={kind} onChange={setKind} allowDeselect={false} />
          <Select label="Task" data={FORMS} value={form} onChange={setForm} allowDeselect={false} />
        </Group>
        <Text size="sm" c="dimmed" mt="md">
          All files are created for you. The ones to write are marked with a pencil (✎).
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={make.isPending}>
            {' '}
            Create challenge{' '}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
