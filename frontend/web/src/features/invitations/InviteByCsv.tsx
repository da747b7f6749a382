import { Alert, Button, Code, FileInput, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { ApiError } from '@/api/client'
import css from './Invitations.module.css'
import { type InviteFormProps, NO_MAIL } from './model/inviteForm'
import { useInviteBySheet, useSendsMail } from './model/requests'

/** Invites people from a spreadsheet. If any line is invalid, every invalid line is listed and nobody is invited. */
export function InviteByCsv({ days, until, done }: InviteFormProps) {
  const [sheet, setSheet] = useState<File | null>(null)
  const invite = useInviteBySheet()
  const sendsMail = useSendsMail()
  const refusal = invite.error instanceof ApiError ? invite.error : null
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!sheet) return
    invite.mutate(
      { sheet, days },
      {
        onSuccess: made => {
          setSheet(null)
          done(made.items)
        },
      },
    )
  }
  return (
    <form onSubmit={send}>
      <FileInput
        label="CSV file"
        description={`UTF-8, at most 500 candidates. ${sendsMail ? 'Each candidate gets an email.' : NO_MAIL}`}
        placeholder="Choose a file"
        accept=".csv,text/csv"
        leftSection={<IconFileSpreadsheet size={18} />}
        value={sheet}
        onChange={file => {
          invite.reset()
          setSheet(file)
        }}
        clearable
        clearButtonProps={{ 'aria-label': 'Remove the file' }}
        required
        maw={420}
      />
      <Text size="sm" c="dimmed" mt="md" mb={4}>
        The first line names the columns. You can leave out name, extra_minutes and time_percent (125, 150 or
        200).
      </Text>
      <Code block>
        {
          'email,name,extra_minutes,time_percent\neve@example.org,Eve Stone,0,125\nbob@example.org,Bob Hill,15,'
        }
      </Code>
      {refusal && (
        <Alert color="red" variant="light" mt="md" role="alert" title="No one was invited">
          {refusal.fields.length === 0 ? (
            refusal.message
          ) : (
            <ul className={css.bad}>
              {refusal.fields.map(each => (
                <li key={`${each.field} ${each.message}`}>
                  <strong>{each.field}</strong>: {each.message}
                </li>
              ))}
            </ul>
          )}
        </Alert>
      )}
      <div className={css.foot}>
        {until}
        <Button type="submit" loading={invite.isPending} disabled={!sheet}>
          Invite all
        </Button>
      </div>
    </form>
  )
}
