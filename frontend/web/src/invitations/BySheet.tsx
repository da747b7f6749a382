import { Alert, Button, Code, FileInput, Text } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Refusal } from '../api/client'
import css from './Invitations.module.css'
import type { WayProps } from './Invite'
import { useInviteBySheet } from './queries'

/** A list from a spreadsheet. Either all of it is good, or every bad line is named and nobody is invited. */
export function BySheet({ days, until, done }: WayProps) {
  const [sheet, setSheet] = useState<File | null>(null)
  const invite = useInviteBySheet()
  const refusal = invite.error instanceof Refusal ? invite.error : null
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
        label="List of people"
        description="CSV in UTF-8, 500 people at most. Everybody gets a letter."
        placeholder="Choose a file"
        accept=".csv,text/csv"
        leftSection={<IconFileSpreadsheet size={18} />}
        value={sheet}
        onChange={file => {
          invite.reset()
          setSheet(file)
        }}
        clearable
        clearButtonProps={{ 'aria-label': 'Take the file away' }}
        required
        maw={420}
      />
      <Text size="sm" c="dimmed" mt="md" mb={4}>
        The first line names the columns; name and extra_minutes may be left out.
      </Text>
      <Code block>
        {'email,name,extra_minutes\neve@example.org,Eve Stone,0\nbob@example.org,Bob Hill,15'}
      </Code>
      {refusal && (
        <Alert color="red" variant="light" mt="md" role="alert" title="Nobody was invited">
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
          Invite all of them
        </Button>
      </div>
    </form>
  )
}
