import { Button, Group, Skeleton, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useMe } from '@/api/queries'
import { formatOptionalDateTime } from '@/shared/format/numbers'
import { isOverLimit, lengthNote } from '@/shared/forms/lengthLimit'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { note, useSaveNote } from './requests'

const LONGEST = 10_000

/** The account's private note about a challenge. */
export default function NoteEditor({ slug }: { slug: string }) {
  const account = useMe()?.id
  const query = useQuery(note(account, slug))
  if (account && query.isPending) return <Skeleton h={180} />
  if (query.isError) return <ErrorMessage error={query.error} again={() => query.refetch()} />
  const saved = query.data ?? { text: '', saved_at: null }
  return <Field slug={slug} saved={saved.text} at={saved.saved_at} />
}

function Field({ slug, saved, at }: { slug: string; saved: string; at: string | null }) {
  const [text, setText] = useState(saved)
  const save = useSaveNote(slug)
  const changed = text !== saved
  useEffect(() => {
    if (!changed) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [changed])
  return (
    <>
      <Textarea
        label="Your note"
        description="Only you can read it."
        placeholder="What to remember next time: mask before the softmax; divide by √d of the keys."
        autosize
        minRows={6}
        maxRows={24}
        value={text}
        error={lengthNote(text, LONGEST)}
        onChange={event => setText(event.currentTarget.value)}
      />
      <Group mt="sm" gap="sm">
        <Button
          size="xs"
          disabled={!changed || isOverLimit(text, LONGEST)}
          loading={save.isPending}
          onClick={() => save.mutate(text)}
        >
          Save note
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {changed ? 'Not saved yet.' : at && `Saved ${formatOptionalDateTime(at)}.`}
        </Text>
      </Group>
      {save.isError && <ErrorMessage error={save.error} />}
    </>
  )
}
