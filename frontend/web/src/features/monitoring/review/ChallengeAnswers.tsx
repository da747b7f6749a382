import { Button, Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '@/api/client'
import { TextComparison } from '@/features/editor'
import { JudgingResults } from '@/features/judging'
import { Code } from '@/shared/markdown/Markdown'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import { formatClockTime } from '../labels'
import { answer, type Item, type Person, useRejudge } from '../requests'
import css from './CandidateReport.module.css'
import { type Card, countingFirst, nameOfAnswer, submissionsOfItem } from './submissions'

const DRAFT = 'draft'

interface Props {
  of: Person
  item: Item
  all: Card[]
}

/** A candidate's submissions for a challenge, one at a time; the one that counts comes first. */
export function ChallengeAnswers({ of, item, all }: Props) {
  const sent = submissionsOfItem(item, all)
  const best = countingFirst(sent)
  const [chosen, setChosen] = useState<string>()
  const first = best ?? sent.find(each => each.kind === 'submit') ?? sent[0]
  const value = chosen ?? first?.id ?? DRAFT
  const choices = [
    ...sent.map(each => ({ value: each.id, label: nameOfAnswer(each, item, each === best) })),
    ...(item.draft?.source
      ? [{ value: DRAFT, label: `Last saved draft, ${formatClockTime(item.draft.saved_at ?? '')}` }]
      : []),
  ]
  if (choices.length === 0)
    return (
      <Text size="sm" my="sm">
        No answer was written.
      </Text>
    )
  return (
    <>
      <Select
        aria-label={`Answers to ${item.title}`}
        className={css.choose}
        value={value}
        data={choices}
        allowDeselect={false}
        onChange={id => setChosen(id ?? undefined)}
        maw={440}
        my="sm"
      />
      {value === DRAFT ? (
        <Source of={item.title} source={item.draft?.source ?? ''} />
      ) : (
        <Sent of={of} item={item} id={value} />
      )}
    </>
  )
}

function Sent({ of, item, id }: { of: Person; item: Item; id: string }) {
  const query = useQuery(answer(of, id))
  return (
    <Loaded query={query}>
      {({ submission, source, snippet }) => (
        <div className={css.answer}>
          {item.lines_changed !== null && submission.kind === 'submit' ? (
            <TextComparison
              before={item.starter}
              after={source}
              names={[`answer to item ${item.position - 1}`, 'this answer']}
            />
          ) : (
            <Source of={item.title} source={source} />
          )}
          {snippet && <Source of={`the snippet run with ${item.title}`} source={snippet} />}
          {submission.status === 'judged' && <Judged end={submission} />}
          {submission.kind === 'submit' && <Again of={of} id={id} status={submission.status} />}
        </div>
      )}
    </Loaded>
  )
}

/** Rejudges an answer on the version that the candidate was given. The new result counts. */
function Again({ of, id, status }: { of: Person; id: string; status: Card['status'] }) {
  const again = useRejudge(of, id)
  if (status !== 'judged')
    return (
      <Text size="sm" role="status">
        Being judged. The earlier result counts until then.
      </Text>
    )
  return (
    <>
      <Button
        size="xs"
        variant="default"
        mt="sm"
        loading={again.isPending}
        onClick={() => again.mutate(undefined)}
      >
        Rejudge
      </Button>
      {again.error && <ErrorMessage error={again.error} />}
    </>
  )
}

/** How the node kept this answer apart from all others. */
const ISOLATION: Record<string, string> = {
  namespaces: 'Ran in an isolated environment that no other submission has used.',
  container: 'Ran in a container of its own.',
  process: 'Ran in a process of its own, without a container.',
}

function Judged({ end }: { end: Schemas['SubmissionView'] }) {
  return (
    <div className={css.results}>
      <JudgingResults state={{ phase: 'ended', id: end.id, end, tests: end.tests }} />
      {end.environment.isolation && (
        <Text size="xs" c="dimmed" px="md" py="xs">
          {ISOLATION[end.environment.isolation] ?? end.environment.isolation}
        </Text>
      )}
    </div>
  )
}

function Source({ of, source }: { of: string; source: string }) {
  return (
    <section aria-label={`Code of ${of}`} className={css.source}>
      <Code source={source} />
    </section>
  )
}
