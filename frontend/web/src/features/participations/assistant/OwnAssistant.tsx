import { Button, Text, Textarea } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '@/api/client'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { TextSection } from '../TextSection'

const declaration = (id: string) =>
  queryOptions({
    queryKey: ['participation', id, 'declaration'],
    queryFn: () => unwrap(api.GET('/api/participation/assistant-declaration')),
  })

/** Asks, after the end, how the candidate used an assistant of their own. Shows nothing if no section allowed one. */
export function OwnAssistant({ participationId }: { participationId: string }) {
  const found = useQuery(declaration(participationId)).data
  return found ? <Form id={participationId} found={found} /> : null
}

function Form({ id, found }: { id: string; found: Schemas['Declaration'] }) {
  const client = useQueryClient()
  const [text, setText] = useState(found.text)
  const save = useMutation({
    mutationFn: () => unwrap(api.PUT('/api/participation/assistant-declaration', { body: { text } })),
    onSuccess: now => client.setQueryData(declaration(id).queryKey, now),
  })
  const saved = found.written_at !== null && found.text === text.trim()
  return (
    <TextSection title="Your AI assistant">
      <Text mb="xs">
        You were allowed to use your own AI assistant. How did you use it? For example: which one, for what,
        and what you changed in its answers. If you used none, say so.
      </Text>
      <Textarea
        aria-label="How you used an AI assistant"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={4000}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
      />
      {save.error && <ErrorMessage error={save.error} />}
      <Button mt="sm" loading={save.isPending} disabled={saved || !text.trim()} onClick={() => save.mutate()}>
        {saved ? 'Saved' : 'Save'}
      </Button>
      <Text size="sm" c="dimmed" mt={6} role="status">
        {saved
          ? 'The team reads this. You can change it as long as you can open this page.'
          : 'The team reads this. It is not scored.'}
      </Text>
    </TextSection>
  )
}
