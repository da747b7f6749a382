import { Button, Radio, Rating, Stack, Text, Textarea } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '@/api/client'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import css from './Participation.module.css'
import { TextSection } from './TextSection'

type Feedback = Schemas['NewFeedback']

const own = (id: string) =>
  queryOptions({
    queryKey: ['participation', id, 'feedback'],
    queryFn: async () => (await unwrap(api.GET('/api/participation/feedback'))).feedback,
  })

/** Asks, after the end, what the candidate thinks about the assessment. */
export function FeedbackForm({ participationId }: { participationId: string }) {
  const query = useQuery(own(participationId))
  return query.data === undefined ? null : <Form id={participationId} saved={query.data} />
}

function Form({ id, saved }: { id: string; saved: Feedback | null }) {
  const client = useQueryClient()
  const [rating, setRating] = useState(saved?.rating ?? 0)
  const [difficulty, setDifficulty] = useState<string | null>(saved?.difficulty ?? null)
  const [comment, setComment] = useState(saved?.comment ?? '')
  const save = useMutation({
    mutationFn: (body: Feedback) => unwrap(api.PUT('/api/participation/feedback', { body })),
    onSuccess: now => client.setQueryData(own(id).queryKey, now.feedback),
  })
  const unchanged =
    saved !== null && saved.rating === rating && saved.difficulty === difficulty && saved.comment === comment
  const send = () => save.mutate({ rating, difficulty: difficulty as Feedback['difficulty'], comment })
  return (
    <TextSection title="How was this assessment?">
      <Text size="sm" c="dimmed" mb="md">
        Optional. The team reads it without your name, and it has no influence on your result.
      </Text>
      <Stack gap="md" maw={560}>
        <fieldset className={css.rating} aria-label="Rating from 1 (bad) to 5 (good)">
          <Rating
            size="lg"
            value={rating}
            onChange={setRating}
            color="var(--g-medium)"
            getSymbolLabel={value => `${value} of 5`}
          />
        </fieldset>
        <Radio.Group label="For the time that you had, it was" value={difficulty} onChange={setDifficulty}>
          <Stack gap="xs" mt="xs">
            <Radio value="easy" label="Too easy" />
            <Radio value="right" label="About right" />
            <Radio value="hard" label="Too hard" />
          </Stack>
        </Radio.Group>
        <Textarea
          label="Comment"
          description="What was good, what was unclear?"
          autosize
          minRows={2}
          maxRows={10}
          maxLength={2000}
          value={comment}
          onChange={event => setComment(event.currentTarget.value)}
        />
        {save.error && <ErrorMessage error={save.error} />}
        <div>
          <Button
            variant="default"
            loading={save.isPending}
            disabled={rating === 0 || difficulty === null || unchanged}
            onClick={send}
          >
            {unchanged ? 'Feedback sent' : 'Send feedback'}
          </Button>
        </div>
      </Stack>
    </TextSection>
  )
}
