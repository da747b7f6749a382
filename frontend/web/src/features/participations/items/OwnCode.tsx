import { Alert, Button, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Schemas } from '@/api/client'
import { describeLines, type LineRange } from '@/shared/ui/lineRanges'
import { MarkableSource, NumberedSource } from '@/shared/ui/NumberedSource'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { hasErrorCode, item, type Participation } from '../requests'
import type { MarksAutosave, MarksWork } from '../saving/MarksAutosave'

interface Props {
  participation: Participation
  position: number
  about: Schemas['AboutCode']
  /** Saves the marked lines; absent after the end. */
  marks?: MarksAutosave
  closed: boolean
}

/** The candidate's own code that a question is about. Its lines can be marked until the time is over. */
export function OwnCode({ participation, position, about, marks, closed }: Props) {
  const [wantsCurrent, setWantsCurrent] = useState(false)
  const { marked } = about
  const isOld = marked !== null && about.changed && !wantsCurrent
  const source = isOld ? marked.source : about.source
  const digest = isOld ? marked.digest : about.digest
  const error = useMarks(participation, position, about, marks)
  const stored = marked?.digest === digest ? (marked.lines as LineRange[]) : []
  const lines = marks?.linesFor(digest) ?? stored
  const heading = (
    <Title order={2} fz="1.05rem">
      Your code for “{about.title}”
    </Title>
  )
  if (!source)
    return (
      <section>
        {heading}
        <Text c="dimmed" size="sm" mt={4}>
          You have written no code for this item{closed ? '.' : ' yet. You can answer without it.'}
        </Text>
      </section>
    )
  return (
    <section>
      {heading}
      {marked !== null && about.changed && !closed && (
        <Alert color="marigold" variant="light" my="xs" title="Your code has changed since you marked it">
          <Text size="sm">
            {wantsCurrent
              ? 'This is your current code. If you mark lines here, they replace the lines that you marked before.'
              : 'The reviewers see the code below, with the lines that you marked.'}
          </Text>
          <Button size="xs" variant="default" mt="xs" onClick={() => setWantsCurrent(!wantsCurrent)}>
            {wantsCurrent ? 'Back to the marked code' : 'Show my current code'}
          </Button>
        </Alert>
      )}
      {closed ? (
        <NumberedSource label="Your code" source={source} marked={lines} />
      ) : (
        <>
          <Text c="dimmed" size="sm" mt={4}>
            Mark the lines that you write about: click or drag over their numbers. With the keyboard, use the
            arrow keys and Space. On a touch screen, tap the number of the first and of the last line.
          </Text>
          <MarkableSource
            label="Your code"
            source={source}
            marked={lines}
            onMark={next => marks?.mark(digest, next)}
          />
        </>
      )}
      <Text size="sm" mt={6} role="status">
        {lines.length > 0 ? `Marked: ${describeLines(lines)}.` : 'No lines are marked.'}
      </Text>
      {error && <ErrorMessage error={error} />}
    </section>
  )
}

const NOTHING: MarksWork = { status: 'saved' }
const ABSENT = { subscribe: () => () => undefined, snapshot: () => NOTHING }

/** Follows the marked lines of a question, and compares those of this browser with the service's. Returns the last refusal. */
function useMarks(
  participation: Participation,
  position: number,
  about: Schemas['AboutCode'],
  marks: MarksAutosave | undefined,
) {
  const client = useQueryClient()
  const { subscribe, snapshot } = marks ?? ABSENT
  const { error } = useSyncExternalStore(subscribe, snapshot)
  const { marked } = about
  useEffect(() => {
    if (!marks) return
    const { queryKey } = item(participation.id, position)
    marks.onSaved = opened => client.setQueryData(queryKey, opened)
    marks.meet(marked)
    return () => {
      marks.onSaved = undefined
    }
  }, [client, marks, marked, participation.id, position])
  const hasChanged = hasErrorCode(error ?? null, 'code_changed')
  useEffect(() => {
    if (hasChanged) client.invalidateQueries({ queryKey: item(participation.id, position).queryKey })
  }, [client, hasChanged, participation.id, position])
  return error
}
