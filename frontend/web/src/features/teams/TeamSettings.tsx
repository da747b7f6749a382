import { Button, Switch, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { api, unwrap } from '@/api/client'
import { useTeamMutation } from '@/api/teams'
import { Row } from '@/shared/forms/Section'
import { fieldError, SmallForm } from '@/shared/forms/SmallForm'
import { Dialog } from '@/shared/ui/Dialog'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import type { Team } from './TeamFrame'

/** Settings of the team, for owners. */
export function TeamSettings({ team }: { team: Team }) {
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
        label="Leaderboard"
        hint="Members who join the team’s leaderboard see each other’s names and points there. Each member decides alone; no one outside the team can see it."
        action={
          <Button component={Link} to={`/teams/${team.id}/leaderboard`} size="xs" variant="default">
            Open
          </Button>
        }
      />
      <Sharing team={team} />
      <Row
        label="Delete team"
        hint="Deletes its assessments and everything that candidates did in them. This cannot be undone."
        action={
          <Button size="xs" variant="default" c="var(--g-bad)" onClick={ask}>
            {' '}
            Delete team{' '}
          </Button>
        }
      />
      <Dialog title="Delete the team?" opened={leaving} onClose={close}>
        <Delete team={team} close={close} />
      </Dialog>
    </>
  )
}

/** Starts or stops sharing results with other teams. */
function Sharing({ team }: { team: Team }) {
  const share = useTeamMutation(team.id, (shares_results: boolean) => {
    const params = { path: { team_id: team.id } }
    return unwrap(api.PUT('/api/teams/{team_id}/result-sharing', { params, body: { shares_results } }))
  })
  return (
    <Row
      label="Compare with other teams"
      hint="Reports compare each answer with those of all teams that share theirs. Your team shares only points and times of finished candidates, no names and no code; if you switch this off, your results no longer count at once."
      action={
        <Switch
          aria-label="Compare with other teams"
          checked={share.isPending ? share.variables : team.shares_results}
          onChange={event => share.mutate(event.currentTarget.checked)}
        />
      }
    >
      {share.error && <ErrorMessage error={share.error} />}
    </Row>
  )
}

function Rename({ team, close }: { team: Team; close: () => void }) {
  const rename = useTeamMutation(team.id, (name: string) =>
    unwrap(api.PUT('/api/teams/{team_id}', { params: { path: { team_id: team.id } }, body: { name } })),
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
        error={fieldError(rename.error, 'name')}
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
    mutationFn: () => unwrap(api.DELETE('/api/teams/{team_id}', { params: { path: { team_id: team.id } } })),
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
      button="Delete permanently"
      blocked={!same}
      grave
      send={() => leave.mutate()}
      cancel={close}
    >
      <TextInput
        label={`Type “${team.name}” to confirm`}
        description="Members lose access, and candidates lose unfinished assessments."
        autoComplete="off"
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        data-autofocus
      />
    </SmallForm>
  )
}
