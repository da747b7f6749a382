import { Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { many, when } from '../desk/format'
import { Broken, Loaded } from '../parts/States'
import css from './Cohort.module.css'
import { type Pair, pairInFull, percent, type Similarity, similarity, useLook, type Where } from './data'
import { Source } from './Source'

const FIRST = 10

interface Props {
  where: Where
  at: string
  /** The pair that is shown in full. */
  open: string
  onOpen: (pair: string) => void
}

/** Answers that share passages, as facts: what they mean is for people to say. */
export function Similar({ where, at, open, onOpen }: Props) {
  const query = useQuery(similarity(where))
  return <Loaded query={query}>{found => <Found {...{ where, at, open, onOpen, found }} />}</Loaded>
}

function Found({ where, at, open, onOpen, found }: Props & { found: Similarity }) {
  const look = useLook(where)
  const [all, setAll] = useState(false)
  const shown = found.pairs.filter((pair, place) => all || place < FIRST || pair.id === open)
  return (
    <>
      <Text c="dimmed" maw="46rem">
        The last answers are compared with each other, with those in the team’s other assessments, and with
        the accepted answers and the editorial that belong to the challenge. Other names, comments and layout
        make no difference; the starter and what every solution needs do not count. Two people may well have
        thought alike.
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
      {look.error && <Broken error={look.error} />}
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
              <span className={css.share}>{percent(Math.max(pair.left.share, pair.right.share))}</span>
              <span className={css.note}>{pair.title}</span>
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
  if (!found.made_at) return 'Nobody has compared them yet.'
  const past = `${many(found.answers, 'answer')} compared on ${when(found.made_at)}.`
  if (!found.fresh) return `${past} Something has changed since.`
  if (found.pairs.length) return past
  return `${past} No two have ${percent(found.threshold)} or more in common.`
}

function InFull({ where, at, pair }: { where: Where; at: string; pair: Pair }) {
  return (
    <div className={css.open}>
      <Loaded query={useQuery(pairInFull(where, pair.id))}>
        {full => (
          <>
            <Text size="sm" mb="sm">
              {many(full.passages.length, 'shared passage')}, {full.tokens} words and signs in all. The marked
              lines are in both.
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
          {percent(side.share)} of it is shared
        </Text>
      </Group>
      <Source name={side.name} source={source} shared={lines} />
    </section>
  )
}
