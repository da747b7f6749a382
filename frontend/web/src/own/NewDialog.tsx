import { Button, Group, Select, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { api, Refusal, type Schemas, told } from '../api/client'
import { Dialog } from '../parts/Dialog'
import { ownChallenge, ownChallenges } from './data'

type New = Schemas['NewOwnChallenge']

const KINDS = [
  { value: 'function', label: 'A function' },
  { value: 'class', label: 'A class' },
  { value: 'module', label: 'A module (nn.Module)' },
  { value: 'autograd_function', label: 'An autograd function' },
]
const FORMS = [
  { value: 'write', label: 'Write it' },
  { value: 'fix', label: 'Fix what is broken' },
]

/** Names a new challenge and says what its scaffold asks for. */
export function NewDialog({ teamId, onClose }: { teamId: string; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [kind, setKind] = useState<string | null>('function')
  const [form, setForm] = useState<string | null>('write')
  const make = useMutation({
    mutationFn: (body: New) =>
      told(api.POST('/api/teams/{team_id}/challenges', { params: { path: { team_id: teamId } }, body })),
    onSuccess: made => {
      client.invalidateQueries({ queryKey: ownChallenges(teamId).queryKey, exact: true })
      client.setQueryData(ownChallenge(teamId, made.id).queryKey, made)
      navigate(`/teams/${teamId}/challenges/${made.id}`)
    },
  })
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const slug = String(new FormData(event.currentTarget).get('slug')).trim()
    make.mutate({ slug, kind: (kind ?? 'function') as New['kind'], form: (form ?? 'write') as New['form'] })
  }
  const refused = make.error instanceof Refusal ? make.error : undefined
  return (
    <Dialog title="A new challenge" onClose={onClose}>
      <form onSubmit={send}>
        <TextInput
          name="slug"
          label="Name"
          description="Lower-case words joined by hyphens. It stands in addresses; candidates read the title."
          placeholder="masked-mean"
          required
          maxLength={80}
          pattern="[a-z0-9]+(-[a-z0-9]+)*"
          error={refused?.of('slug') ?? refused?.message}
          data-autofocus
        />
        <Group grow mt="md" align="start">
          <Select label="The answer is" data={KINDS} value={kind} onChange={setKind} allowDeselect={false} />
          <Select label="The task" data={FORMS} value={form} onChange={setForm} allowDeselect={false} />
        </Group>
        <Text size="sm" c="dimmed" mt="md">
          You get every file that is needed. What is yours to write carries a pencil (✎).
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" loading={make.isPending}>
            Make it
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
