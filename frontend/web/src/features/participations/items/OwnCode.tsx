import { Alert, Button, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, type Schemas, unwrap } from '@/api/client'
import { describeLines, type LineRange } from '@/shared/ui/lineRanges'
import { MarkableSource, NumberedSource } from '@/shared/ui/NumberedSource'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { hasErrorCode, item, type Participation } from '../requests'

interface Props {
  participation: Participation
  position: number
  about: Schemas['AboutCode']
  closed: boolean
}

/** The candidate's own code that a question is about. Its lines can be marked until the time is over. */
export function OwnCode({ participation, position, about, closed }: Props) {
  const [wantsCurrent, setWantsCurrent] = useState(false)
  const { marked } = about
  const isOld = marked !== null && about.changed && !wantsCurrent
  const source = isOld ? marked.source : about.source
  const digest = isOld ? marked.digest : about.digest
  const { lines, mark, error } = useMarks(
    participation,
    position,
    marked?.digest === digest ? marked.lines : [],
  )
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
            onMark={next => mark(digest, next)}
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

/** The marked lines: what the candidate sees at once, and the requests that store them one after the other. */
function useMarks(participation: Participation, position: number, stored: readonly number[][]) {
  const client = useQueryClient()
  const { queryKey } = item(participation.id, position)
  const [local, setLocal] = useState<LineRange[]>()
  const latest = useRef<LineRange[]>(undefined)
  const save = useMutation({
    scope: { id: `marked lines of ${position}` },
    mutationFn: (body: { digest: string; lines: LineRange[] }) =>
      unwrap(
        api.PUT('/api/participation/items/{position}/marked-lines', { params: { path: { position } }, body }),
      ),
    onSuccess: (opened, { lines }) => {
      client.setQueryData(queryKey, opened)
      if (lines === latest.current) setLocal(undefined)
    },
    onError: error => {
      setLocal(undefined)
      if (hasErrorCode(error, 'code_changed')) client.invalidateQueries({ queryKey })
    },
  })
  const mark = (digest: string, lines: LineRange[]) => {
    latest.current = lines
    setLocal(lines)
    save.mutate({ digest, lines })
  }
  return { lines: local ?? (stored as LineRange[]), mark, error: save.error }
}
