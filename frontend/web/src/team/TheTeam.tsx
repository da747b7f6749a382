import { Button, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { at, SmallForm } from '../account/Form'
import { Row } from '../account/Section'
import { api, told } from '../api/client'
import { useTeamDeed } from '../api/teams'
import { Dialog } from '../parts/Dialog'
import type { Team } from './TeamFrame'

/** What owners decide about the team itself. */
export function TheTeam({ team }: { team: Team }) {
  const [renaming, { open: rename, close: stay }] = useDisclosure()
  const [leaving, { open: ask, close }] = useDisclosure()
  return (
    <>
      <Row
        label="Name"
        hint={team.name}
        action={
          !renaming && (
            <Button size="xs" variant="default" onClick={rename}>
              Rename
            </Button>
          )
        }
      >
        {renaming && <Rename team={team} close={stay} />}
      </Row>
      <Row
        label="Delete the team"
        hint="Its assessments go with it, and all that candidates did in them. It cannot be taken back."
        action={
          <Button size="xs" variant="default" c="var(--g-bad)" onClick={ask}>
            Delete the team
          </Button>
        }
      />
      <Dialog title="Delete the team" opened={leaving} onClose={close}>
        <Delete team={team} close={close} />
      </Dialog>
    </>
  )
}

function Rename({ team, close }: { team: Team; close: () => void }) {
  const rename = useTeamDeed(team.id, (name: string) =>
    told(api.PUT('/api/teams/{team_id}', { params: { path: { team_id: team.id } }, body: { name } })),
  )
  const send = (form: FormData) => rename.mutate(String(form.get('name')), { onSuccess: close })
  return (
    <SmallForm error={rename.error} busy={rename.isPending} button="Rename" send={send} cancel={close}>
      <TextInput
        name="name"
        label="New name"
        defaultValue={team.name}
        required
        maxLength={80}
        error={at(rename.error, 'name')}
        autoFocus
      />
    </SmallForm>
  )
}

function Delete({ team, close }: { team: Team; close: () => void }) {
  const go = useNavigate()
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const leave = useMutation({
    mutationFn: () => told(api.DELETE('/api/teams/{team_id}', { params: { path: { team_id: team.id } } })),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['teams'] })
      await go('/teams')
      client.removeQueries({ queryKey: ['team', team.id] })
    },
  })
  const same = typed.trim() === team.name
  return (
    <SmallForm
      error={leave.error}
      busy={leave.isPending}
      button="Delete it for good"
      blocked={!same}
      grave
      send={() => leave.mutate()}
      cancel={close}
    >
      <TextInput
        label={`Type «${team.name}» to go on`}
        description="Members lose the team, candidates what they have not finished."
        autoComplete="off"
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        data-autofocus
      />
    </SmallForm>
  )
}
