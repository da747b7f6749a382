import { Button, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from 'react-router'
import { at, SmallForm } from '../account/Form'
import { api, told } from '../api/client'
import { useTeamDeed } from '../api/teams'
import { Dialog } from '../parts/Dialog'
import type { Team } from './TeamFrame'

/** A name first; the plan comes on its own page. */
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
  const make = useTeamDeed(
    team.id,
    (name: string) =>
      told(
        api.POST('/api/teams/{team_id}/assessments', {
          params: { path: { team_id: team.id } },
          body: { name },
        }),
      ),
    made => go(`/teams/${team.id}/assessments/${made.id}`),
  )
  const send = (form: FormData) => make.mutate(String(form.get('name')))
  return (
    <SmallForm error={make.error} busy={make.isPending} button="Make it" send={send} cancel={close}>
      <Text size="sm" c="dimmed">
        Candidates read this name. It begins as a draft that only your team sees.
      </Text>
      <TextInput
        name="name"
        label="Name"
        placeholder="Research engineer, first round"
        required
        maxLength={120}
        error={at(make.error, 'name')}
        data-autofocus
      />
    </SmallForm>
  )
}
