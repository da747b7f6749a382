import { Anchor, Button, Container, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { useMe } from '@/api/queries'
import { formatDate, formatDateTime } from '@/shared/format/dates'
import { formatDuration, formatPercent, pluralize } from '@/shared/format/numbers'
import { useTitle } from '@/shared/hooks/useTitle'
import { Loaded } from '@/shared/ui/QueryStates'
import { CostChart, CostTable } from './CostChart'
import { IntervalPlot, type Row } from './IntervalPlot'
import { isLive, ownSpeed, speedEntry } from './requests'
import { Part } from './SpeedBoardPage'
import css from './SpeedBoards.module.css'
import { WithdrawButton } from './WithdrawButton'
import { formatRange, formatRatio, formatSpeed, ROLES, STATES } from './words'

type Entry = Schemas['SpeedEntryPage']

/** A measured answer: its result, its cost for each size, and where its time goes. */
export function Component() {
  const { entryId = '' } = useParams()
  const query = useQuery(speedEntry(entryId))
  useTitle(query.data && `${nameOf(query.data)}: ${query.data.title}`)
  return (
    <Container size="lg" py="xl">
      <Loaded page query={query}>
        {entry => <Shown entry={entry} />}
      </Loaded>
    </Container>
  )
}

const nameOf = (entry: Entry) => (entry.role ? ROLES[entry.role] : entry.name || 'Your answer')

function Shown({ entry }: { entry: Entry }) {
  const board = `/challenges/${entry.slug}/speed`
  const counted = entry.sessions.filter(each => each.counts).length
  return (
    <>
      <Text size="sm">
        <Anchor component={Link} to={entry.board.current ? board : `${board}?board=${entry.board.id}`}>
          Speed board: {entry.title}
        </Anchor>
      </Text>
      <Title order={1} dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {nameOf(entry)}
      </Title>
      <p className={css.lead}>
        {placeOf(entry)} <b>{formatSpeed(entry.interval.ratio, entry.quantity)}</b>. The true value lies in
        the range {formatRange(entry.interval)}.
      </p>
      {entry.reason && <Text mt="xs">{entry.reason}</Text>}
      <Group gap="xs" mt="sm">
        {entry.account_id && !entry.own && (
          <Button size="xs" variant="default" component={Link} to={`/people/${entry.account_id}`}>
            Profile
          </Button>
        )}
        {entry.submission_id && (
          <Button
            size="xs"
            variant="default"
            component={Link}
            to={`/challenges/${entry.slug}?tab=history&answer=${entry.submission_id}`}
          >
            Your code
          </Button>
        )}
        {entry.shared_id && !entry.own && (
          <Button size="xs" variant="default" component={Link} to={`/shared/${entry.shared_id}`}>
            Shared code
          </Button>
        )}
        {entry.account_id && entry.state !== 'withdrawn' && (
          <WithdrawButton id={entry.id} name={nameOf(entry)} />
        )}
      </Group>
      <Part
        title={entry.quantity === 'speed' ? 'Time for each size' : 'Memory for each size'}
        text="On logarithmic axes. The floor is the least that this machine needs for the arithmetic and the memory traffic of a call."
      >
        <CostChart curves={entry.curves} quantity={entry.quantity} />
        <div className={css.body}>
          <CostTable curves={entry.curves} quantity={entry.quantity} />
        </div>
      </Part>
      {entry.operators.length > 0 && <Operators entry={entry} />}
      <Part
        title="Measurements"
        text={
          counted > 1
            ? 'Each had other inputs. The result combines those that count.'
            : 'The result is that of one measurement.'
        }
      >
        <IntervalPlot label="Measurements" rows={entry.sessions.map(sessionRow)} />
        <Text size="sm" c="dimmed" mt="sm">
          {entry.sessions
            .map(each => `${pluralize(each.pairs, 'pair')} of runs in ${formatDuration(each.wall_s)}`)
            .join('; ')}
          . {entry.board.cpu}, torch {entry.board.torch}, noise floor ±{formatPercent(entry.board.noise)}.
        </Text>
      </Part>
      {entry.own && <Attempts entry={entry} />}
    </>
  )
}

function placeOf(entry: Entry): string {
  if (entry.role) return 'An answer for comparison, without a place:'
  if (entry.rank !== null) return `Place ${entry.rank} of ${entry.total}:`
  return `${STATES[entry.state]}:`
}

const sessionRow = (each: Schemas['MeasuredSession'], place: number): Row => ({
  key: String(place),
  mark: place + 1,
  name: each.counts ? formatDateTime(each.at) : `${formatDateTime(each.at)}, does not count`,
  interval: each.interval,
  tone: each.counts ? 'entry' : 'soft',
})

function Operators({ entry }: { entry: Entry }) {
  return (
    <Part
      title="Where the time goes"
      text="Reported by the answer’s own process, so it is a claim of the answer and not a measurement of ours."
    >
      <dl className={css.operators}>
        {entry.operators.map(each => (
          <div key={each.name} style={{ display: 'contents' }}>
            <dt>{each.name}</dt>
            <dd className={css.share} aria-hidden="true">
              <div style={{ width: formatPercent(Math.min(1, each.share)) }} />
            </dd>
            <dd>{formatPercent(each.share)}</dd>
          </div>
        ))}
      </dl>
    </Part>
  )
}

/** Your measured answers to the challenge over time, on this board. */
function Attempts({ entry }: { entry: Entry }) {
  const account = useMe()?.id
  const own = useQuery(ownSpeed(entry.slug, entry.board.id, account)).data
  const rows = (own?.attempts ?? [])
    .filter(each => each.interval !== null && each.board_id === entry.board.id)
    .toReversed()
  if (rows.length < 2) return null
  const live = own?.attempts.find(isLive)
  return (
    <Part title="Your progress" text="Your measured answers, oldest first. Only you see this.">
      <IntervalPlot
        label="Your measured answers"
        rows={rows.map((each, place) => ({
          key: each.submission_id,
          mark: place + 1,
          name: (
            <Anchor component={Link} to={`/challenges/${entry.slug}/speed/${each.id}`}>
              {formatDate(each.asked_at)}
            </Anchor>
          ),
          interval: each.interval ?? entry.interval,
          mine: each.id === entry.id,
          tone: each.state === 'ranked' || each.state === 'beaten' ? 'entry' : 'soft',
        }))}
      />
      {live && (
        <Text size="sm" c="dimmed" mt="sm">
          One more is being measured.
        </Text>
      )}
      {rows.length > 1 && (
        <Text size="sm" c="dimmed" mt="sm">
          From {formatRatio(rows[0]?.interval?.ratio ?? 1)} × to{' '}
          {formatRatio(rows.at(-1)?.interval?.ratio ?? 1)} ×.
        </Text>
      )}
    </Part>
  )
}
