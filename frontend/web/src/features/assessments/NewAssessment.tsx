import { Button, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from 'react-router'
import { api, unwrap } from '@/api/client'
import { useTeamMutation } from '@/api/teams'
import type { Team } from '@/features/teams'
import { fieldError, SmallForm } from '@/shared/forms/SmallForm'
import { Dialog } from '@/shared/ui/Dialog'

/** Asks only for a name; the plan follows on its own page. */
export function NewAssessment({ team }: { team: Team }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button onClick={open}>New assessment</Button>
      <Dialog title="New assessment" opened={opened} onClose={close}>
        <Naming team={team} close={close} />
      </Dialog>
    </>
  )
}

function Naming({ team, close }: { team: Team; close: () => void }) {
  const go = useNavigate()
  const make = useTeamMutation(
    team.id,
    (name: string) =>
      unwrap(
        api.POST('/api/teams/{team_id}/assessments', {
          params: { path: { team_id: team.id } },
          body: { name },
        }),
      ),
    made => go(`/teams/${team.id}/assessments/${made.id}`),
  )
  const send = (form: FormData) => make.mutate(String(form.get('name')))
  return (
    <SmallForm error={make.error} busy={make.isPending} button="Create assessment" send={send} cancel={close}>
      <Text size="sm" c="dimmed">
        Candidates see this name. The assessment starts as a draft that only your team can see.
      </Text>
      <TextInput
        name="name"
        label="Name"
        placeholder="Research engineer, first round"
        required
        maxLength={120}
        error={fieldError(make.error, 'name')}
        data-autofocus
      />
    </SmallForm>
  )
}
