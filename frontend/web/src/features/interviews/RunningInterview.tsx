import { Button, Container, Loader, Text, Title, VisuallyHidden } from '@mantine/core'
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { Link, useParams } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { LazyChallenge } from '@/features/challenges'
import { Question } from '@/features/quizzes'
import { pluralize } from '@/shared/format/numbers'
import { ConfirmDialog } from '@/shared/forms/ConfirmDialog'
import css from './Interview.module.css'
import { InterviewClock } from './InterviewClock'
import { interview } from './requests'

type Item = Schemas['ItemView']
export type Found = Schemas['InterviewView'] & { skew: number }

const SIGNS = { open: '', judging: ' …', wrong: ' ✗', right: ' ✓' } as const
const STATES = { open: 'open', judging: 'being judged', wrong: 'incorrect', right: 'correct' } as const

/** A running interview: the clock and the items above, one item below. */
export function RunningInterview({ interview: found }: { interview: Found }) {
  const { item: chosen } = useParams()
  const client = useQueryClient()
  const again = useCallback(
    () => client.invalidateQueries({ queryKey: interview(found.id).queryKey }),
    [client, found.id],
  )
  // The list of items shows a new submission at once.
  const sending = useIsMutating() > 0
  useEffect(() => {
    if (!sending) again()
  }, [sending, again])
  const [finishing, setFinishing] = useState(false)
  const finish = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/api/interviews/{interview_id}/finish', { params: { path: { interview_id: found.id } } }),
      ),
    onSuccess: again,
  })
  const place = Math.min(Math.max(1, Number(chosen) || 1), found.items.length)
  const shown = found.items[place - 1]
  return (
    <>
      <section className={css.bar} aria-label="Interview">
        <InterviewClock deadline={found.deadline} skew={found.skew} onEnd={again} />
        <nav className={css.items} aria-label="Items">
          {found.items.map((item, index) => (
            <Link
              key={`${item.topic} ${item.slug} ${item.question?.id}`}
              to={`/interview/${found.id}/${index + 1}`}
              replace
              className={css.item}
              data-state={item.state}
              aria-current={index + 1 === place ? 'step' : undefined}
            >
              <span>{item.kind === 'challenge' ? `${index + 1} (code)` : index + 1}</span>
              <span aria-hidden="true">{SIGNS[item.state]}</span>
              <VisuallyHidden>
                : {item.kind}, {STATES[item.state]}
              </VisuallyHidden>
            </Link>
          ))}
        </nav>
        <Button size="xs" variant="default" onClick={() => setFinishing(true)}>
          Finish
        </Button>
      </section>
      {finishing && (
        <ConfirmDialog
          title="Finish the interview?"
          label="Finish"
          onClose={() => setFinishing(false)}
          onSend={() => finish.mutate()}
          busy={finish.isPending}
          error={finish.error}
        >
          <Text size="sm">{remaining(found.items)}</Text>
        </ConfirmDialog>
      )}
      {shown && <Shown key={place} item={shown} next={nextOf(found, place)} />}
    </>
  )
}

function remaining(items: readonly Item[]): string {
  const open = items.filter(each => each.state === 'open').length
  if (open === 0) return 'You have answered all items. You cannot change your answers after this.'
  return `You have not answered ${open} of ${pluralize(items.length, 'item')}, and cannot do so after this.`
}

function nextOf(found: Found, place: number): string | undefined {
  return place < found.items.length ? `/interview/${found.id}/${place + 1}` : undefined
}

function Shown({ item, next }: { item: Item; next?: string }) {
  if (item.kind === 'challenge')
    return (
      <div className={css.work}>
        <Suspense fallback={<Loader m="xl" />}>
          <LazyChallenge slug={item.slug} />
        </Suspense>
      </div>
    )
  return (
    <Container size="sm" py="xl">
      <Text size="sm" c="dimmed">
        Question, about {item.minutes} minutes
      </Text>
      <Title order={1} fz="1.5rem" mb="lg">
        {item.title}
      </Title>
      {item.question && item.attempt ? (
        <Question attempt={item.attempt} question={item.question} />
      ) : (
        <Text>
          This question was changed during your interview. It does not count against you. Continue with the
          next one.
        </Text>
      )}
      {next && (
        <Button
          component={Link}
          to={next}
          replace
          variant={item.state === 'open' ? 'subtle' : 'light'}
          mt="lg"
        >
          {item.state === 'open' ? 'Skip' : 'Next'}
        </Button>
      )}
    </Container>
  )
}
