import { Alert, Button, CloseButton, FileInput, Group, NativeSelect, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, type Schemas, unwrap } from '@/api/client'
import { members as membersQuery, useTeamMutation } from '@/api/teams'
import { fieldError } from '@/shared/forms/SmallForm'
import { Loaded } from '@/shared/ui/QueryStates'
import css from './CandidateMails.module.css'
import { MailPreview } from './MailPreview'
import type { Team } from './TeamFrame'

export type MailText = Schemas['SavedCandidateMail']

const MESSAGE = 'Thank you for applying. If you have questions, reply to this email.'
/** Time without typing before the preview is updated. */
const PAUSE_MS = 400

const saved = (teamId: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'candidate-mail'],
    queryFn: () =>
      unwrap(api.GET('/api/teams/{team_id}/candidate-mail', { params: { path: { team_id: teamId } } })),
  })

/** What the team adds to its invitations and reminders, with a preview of both. For owners. */
export function CandidateMails({ team }: { team: Team }) {
  return (
    <Loaded query={useQuery(saved(team.id))}>
      {text => <Form key={team.id} team={team} saved={text} />}
    </Loaded>
  )
}

function Form({ team, saved }: { team: Team; saved: MailText }) {
  const [text, setText] = useState(saved)
  const [unread, setUnread] = useState(false)
  const set = (part: Partial<MailText>) => {
    save.reset()
    setText(old => ({ ...old, ...part }))
  }
  const [settled] = useDebouncedValue(text, PAUSE_MS)
  const [kind, setKind] = useState<'invitation' | 'reminder'>('invitation')
  const path = { team_id: team.id }
  const save = useTeamMutation(team.id, (body: MailText) =>
    unwrap(api.PUT('/api/teams/{team_id}/candidate-mail', { params: { path }, body })),
  )
  const preview = useQuery({
    queryKey: ['candidate-mail-preview', team.id, kind, settled],
    queryFn: () =>
      unwrap(
        api.POST('/api/teams/{team_id}/candidate-mail/preview', {
          params: { path, query: { kind } },
          body: settled,
        }),
      ),
    placeholderData: keepPreviousData,
    retry: false,
  })
  const error = save.error ?? preview.error
  const unchanged = (['message', 'reply_to', 'logo'] as const).every(part => text[part] === saved[part])
  const choose = async (file: File | null) => {
    setUnread(false)
    if (!file) return
    try {
      set({ logo: await dataUrlOf(file) })
    } catch {
      setUnread(true)
    }
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(text, { onSuccess: setText })
  }
  return (
    <div className={css.columns}>
      <form onSubmit={send} className={css.form}>
        <Textarea
          label="Message"
          description="Quoted as your team’s words below the link. Links and email addresses are not allowed."
          placeholder={MESSAGE}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={1000}
          value={text.message}
          onChange={event => set({ message: event.currentTarget.value })}
          error={fieldError(error, 'message')}
        />
        <ReplyTo
          team={team}
          value={text.reply_to}
          set={reply_to => set({ reply_to })}
          error={
            fieldError(save.error, 'reply_to') ??
            (settled.reply_to && preview.data && !preview.data.reply_to
              ? 'This member has not verified their email address.'
              : undefined)
          }
        />
        <div>
          <FileInput
            label="Logo"
            description="PNG or JPEG, at most 512 kB. Shown up to 240 × 80 pixels, also before the start and in PDF reports."
            placeholder={text.logo ? 'Choose another file' : 'Choose a file'}
            accept="image/png,image/jpeg"
            value={null}
            onChange={choose}
            error={unread ? 'This file could not be read. Choose it again.' : fieldError(error, 'logo')}
          />
          {text.logo && (
            <div className={css.logo}>
              <img src={text.logo} alt="Logo of the team" />
              <CloseButton aria-label="Remove the logo" onClick={() => set({ logo: null })} />
            </div>
          )}
        </div>
        {save.error && !fieldErrorOf(save.error) && (
          <Alert color="red" variant="light" role="alert">
            {save.error.message}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={unchanged}>
            Save
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {save.isSuccess && unchanged ? 'Saved. It applies to all emails from now on.' : ''}
          </Text>
        </Group>
      </form>
      <MailPreview kind={kind} setKind={setKind} preview={preview.data} refused={preview.isError} />
    </div>
  )
}

const fieldErrorOf = (error: Error) =>
  ['message', 'reply_to', 'logo'].some(field => fieldError(error, field) !== undefined)

interface ReplyToProps {
  team: Team
  value: string | null
  set: (accountId: string | null) => void
  error?: string
}

function ReplyTo({ team, value, set, error }: ReplyToProps) {
  const items = useQuery(membersQuery(team.id)).data ?? []
  return (
    <NativeSelect
      label="Replies go to"
      description="Candidates see this member’s email address."
      value={value ?? ''}
      onChange={event => set(event.currentTarget.value || null)}
      error={error}
      data={[
        { value: '', label: 'No one' },
        ...items.map(each => ({ value: each.account_id, label: `${each.name} <${each.email}>` })),
      ]}
    />
  )
}

const dataUrlOf = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
