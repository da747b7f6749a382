import { Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatOptionalDateTime, formatPercent, pluralize } from '@/shared/format/numbers'
import { NumberedSource } from '@/shared/ui/NumberedSource'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import css from './Results.module.css'
import { type Pair, pairInFull, type Similarity, similarity, useCompareAnswers, type Where } from './requests'

const FIRST = 10

interface Props {
  where: Where
  at: string
  /** The pair that is shown in full. */
  open: string
  onOpen: (pair: string) => void
}

/** Pairs of answers that share passages. It states facts; people decide what they mean. */
export function SimilarAnswers({ where, at, open, onOpen }: Props) {
  const query = useQuery(similarity(where))
  return <Loaded query={query}>{found => <Found {...{ where, at, open, onOpen, found }} />}</Loaded>
}

function Found({ where, at, open, onOpen, found }: Props & { found: Similarity }) {
  const look = useCompareAnswers(where)
  const [all, setAll] = useState(false)
  const shown = found.pairs.filter((pair, place) => all || place < FIRST || pair.id === open)
  return (
    <>
      <Text c="dimmed" maw="46rem">
        Each candidate’s answer that counts is compared with those of other candidates, with answers in the
        team’s other assessments, and with the challenge’s reference answers and editorial. Variable names,
        comments, formatting, starter code and code that every answer needs are ignored. Similarity alone is
        not evidence of copying.
      </Text>
      <Group mt="md" mb="md" gap="md">
        <Button
          size="sm"
          variant={found.fresh ? 'default' : 'filled'}
          loading={look.isPending}
          disabled={found.fresh}
          onClick={() => look.mutate()}
        >
          {found.made_at ? 'Compare again' : 'Compare the answers'}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {said(found)}
        </Text>
      </Group>
      {look.error && <ErrorMessage error={look.error} />}
      <ul className={css.pairs}>
        {shown.map(pair => (
          <li key={pair.id}>
            <button
              type="button"
              className={css.pair}
              aria-expanded={pair.id === open}
              onClick={() => onOpen(pair.id === open ? '' : pair.id)}
            >
              <span>
                <b>{pair.left.name}</b> and <b>{pair.right.name}</b>
                {pair.right.elsewhere && `, in ${pair.right.elsewhere}`}
              </span>
              <span className={css.share}>{formatPercent(Math.max(pair.left.share, pair.right.share))}</span>
              <span className={css.note}>
                {pair.title}
                {pair.variants_differ && '; different variants'}
              </span>
            </button>
            {pair.id === open && <InFull where={where} at={at} pair={pair} />}
          </li>
        ))}
      </ul>
      {shown.length < found.pairs.length && (
        <Button mt="md" variant="default" onClick={() => setAll(true)}>
          Show all {found.pairs.length} pairs
        </Button>
      )}
    </>
  )
}

function said(found: Similarity): string {
  if (!found.made_at) return 'Not compared yet.'
  const past = `${pluralize(found.answers, 'answer')} compared on ${formatOptionalDateTime(found.made_at)}.`
  if (!found.fresh) return `${past} The answers have changed since then.`
  if (found.pairs.length) return past
  return `${past} No two answers share ${formatPercent(found.threshold)} or more of their code.`
}

function InFull({ where, at, pair }: { where: Where; at: string; pair: Pair }) {
  return (
    <div className={css.open}>
      <Loaded query={useQuery(pairInFull(where, pair.id))}>
        {full => (
          <>
            <Text size="sm" mb="sm">
              {pluralize(full.passages.length, 'shared passage')}, {full.tokens} tokens in total. The
              highlighted lines are in both.
            </Text>
            <div className={css.sides}>
              <Side
                at={at}
                side={full.left}
                source={full.left_source}
                lines={full.passages.map(p => p.left)}
              />
              <Side
                at={at}
                side={full.right}
                source={full.right_source}
                lines={full.passages.map(p => p.right)}
              />
            </div>
          </>
        )}
      </Loaded>
    </div>
  )
}

function Side(props: { at: string; side: Pair['left']; source: string; lines: number[][] }) {
  const { at, side, source, lines } = props
  return (
    <section className={css.side} aria-label={side.name}>
      <Group justify="space-between" gap="xs">
        {side.participation_id ? (
          <Anchor component={Link} to={`${at}/people/${side.participation_id}`}>
            {side.name}
          </Anchor>
        ) : (
          <b>{side.name}</b>
        )}
        <Text size="sm" c="dimmed">
          {formatPercent(side.share)} shared
          {side.variant && `, variant: ${side.variant}`}
        </Text>
      </Group>
      <NumberedSource label={`Answer by ${side.name}`} source={source} marked={lines} />
    </section>
  )
}
