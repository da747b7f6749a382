import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../api/client'
import { Results, Tests } from '../challenge/Results'
import { VERDICTS } from '../challenge/verdicts'
import { Code } from '../parts/Markdown'
import { Loaded } from '../parts/States'
import { answer, type Item, type Person } from './queries'
import css from './Report.module.css'
import { type Card, counting, ofItem } from './sending'
import { atClock, many } from './words'

const DRAFT = 'draft'

interface Props {
  of: Person
  item: Item
  all: Card[]
}

/** What was sent for a challenge, one at a time; the answer that counts first. */
export function Answers({ of, item, all }: Props) {
  const sent = ofItem(item, all)
  const best = counting(sent)
  const [chosen, setChosen] = useState<string>()
  const first = best ?? sent.find(each => each.kind === 'submit') ?? sent[0]
  const value = chosen ?? first?.id ?? DRAFT
  const choices = [
    ...sent.map(each => ({ value: each.id, label: nameOf(each, each === best) })),
    ...(item.draft?.source
      ? [{ value: DRAFT, label: `As saved last, ${atClock(item.draft.saved_at ?? '')}` }]
      : []),
  ]
  if (choices.length === 0)
    return (
      <Text size="sm" my="sm">
        Nothing was written.
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

const KINDS = { run: 'samples only', scratch: 'a snippet of their own' } as const

function nameOf(card: Card, counts: boolean): string {
  const came = card.verdict ? VERDICTS[card.verdict].name : card.status
  const kind = card.kind === 'submit' ? `${card.score} of ${card.max_score}` : KINDS[card.kind]
  return `${atClock(card.created_at)} · ${came} · ${kind}${counts ? ' · counts' : ''}`
}

function Sent({ of, item, id }: { of: Person; item: Item; id: string }) {
  const query = useQuery(answer(of, id))
  return (
    <Loaded query={query}>
      {({ submission, source, snippet }) => (
        <div className={css.answer}>
          <Source of={item.title} source={source} />
          {snippet && <Source of={`the snippet after ${item.title}`} source={snippet} />}
          {submission.status === 'judged' && <Judged end={submission} />}
        </div>
      )}
    </Loaded>
  )
}

/** What failed stands open; what passed is opened when somebody asks. */
function Judged({ end }: { end: Schemas['SubmissionView'] }) {
  const passed = end.tests.filter(test => test.verdict === 'AC')
  const failed = end.tests.filter(test => test.verdict !== 'AC')
  return (
    <div className={css.results}>
      <Results state={{ phase: 'ended', id: end.id, end, tests: failed }} onCancel={() => undefined} />
      {passed.length > 0 && (
        <details className={css.passed}>
          <summary>{many(passed.length, 'test')} passed</summary>
          <Tests tests={passed} />
        </details>
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
