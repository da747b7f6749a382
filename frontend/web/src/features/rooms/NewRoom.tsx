import { Button, MultiSelect, NumberInput, TagsInput, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { api, type Schemas, unwrap } from '@/api/client'
import { useTeamMutation } from '@/api/teams'
import { useAvailableItems } from '@/features/assessment-builder'
import type { Team } from '@/features/teams'
import { fieldError } from '@/shared/forms/SmallForm'
import { Dialog } from '@/shared/ui/Dialog'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import css from './Rooms.module.css'

const CRITERIA = ['Solves the problem', 'Writes clear code', 'Knows PyTorch', 'Explains the reasoning']

interface Props {
  team: Team
  onMade: (links: Schemas['RoomLinks']) => void
}

export function NewRoom({ team, onMade }: Props) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button onClick={open}>New live interview</Button>
      <Dialog title="New live interview" size="lg" opened={opened} onClose={close}>
        <Form
          team={team}
          onMade={links => {
            close()
            onMade(links)
          }}
        />
      </Dialog>
    </>
  )
}

function Form({ team, onMade }: Props) {
  const [title, setTitle] = useState('')
  const [challenges, setChallenges] = useState<string[]>([])
  const [minutes, setMinutes] = useState<number | string>(60)
  const [call, setCall] = useState('')
  const [criteria, setCriteria] = useState(CRITERIA)
  const items = useAvailableItems(team.id)
  const data = [...(items?.values() ?? [])]
    .filter(each => each.choice.kind === 'challenge')
    .map(each => ({ value: each.choice.name, label: each.title }))
  const make = useTeamMutation(
    team.id,
    (body: Schemas['NewRoom']) =>
      unwrap(api.POST('/api/teams/{team_id}/rooms', { params: { path: { team_id: team.id } }, body })),
    onMade,
  )
  const send = (event: FormEvent) => {
    event.preventDefault()
    make.mutate({ title, challenges, minutes: Number(minutes), call_url: call.trim(), criteria })
  }
  const named = ['title', 'call_url', 'minutes'].some(field => fieldError(make.error, field))
  return (
    <form onSubmit={send} className={css.form}>
      <TextInput
        label="Title"
        description="The candidate sees it."
        placeholder="Research engineer, second round"
        value={title}
        onChange={event => setTitle(event.currentTarget.value)}
        error={fieldError(make.error, 'title')}
        maxLength={120}
        required
        data-autofocus
      />
      <MultiSelect
        label="Challenges"
        description="In the order in which you may show them. You can add others during the interview."
        placeholder={items ? 'Type to search' : 'Loading…'}
        data={data}
        value={challenges}
        onChange={setChallenges}
        maxValues={12}
        limit={60}
        searchable
        required
        hidePickedOptions
        nothingFoundMessage="No challenge has this name."
      />
      <NumberInput
        label="Planned minutes"
        value={minutes}
        onChange={setMinutes}
        error={fieldError(make.error, 'minutes')}
        min={5}
        max={480}
        allowDecimal={false}
        required
      />
      <TextInput
        label="Link to a video call"
        description="Optional. Everyone in the room sees it."
        placeholder="https://"
        type="url"
        value={call}
        onChange={event => setCall(event.currentTarget.value)}
        error={fieldError(make.error, 'call_url')}
        maxLength={500}
      />
      <TagsInput
        label="Rubric"
        description="Each interviewer scores each criterion from 0 to 4. Press Enter after each."
        value={criteria}
        onChange={setCriteria}
        maxTags={12}
        maxLength={120}
        clearable={false}
      />
      {make.error && !named && <ErrorMessage error={make.error} />}
      <Button
        type="submit"
        justify="center"
        loading={make.isPending}
        disabled={!title.trim() || challenges.length === 0 || minutes === ''}
      >
        Create interview
      </Button>
    </form>
  )
}
