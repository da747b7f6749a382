import { Anchor, Button, Container, Group, Paper, Select, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { useMe } from '@/api/queries'
import { formatDate } from '@/shared/format/dates'
import { formatPercent, pluralize } from '@/shared/format/numbers'
import { useTitle } from '@/shared/hooks/useTitle'
import { Loaded } from '@/shared/ui/QueryStates'
import { EntryName, RankMark } from './EntryName'
import { IntervalPlot, type Row } from './IntervalPlot'
import { OwnPanel } from './OwnPanel'
import { type BoardPage, speedBoard } from './requests'
import css from './SpeedBoards.module.css'
import { LEAD, MEANING, ROLES } from './words'

type Board = Schemas['SpeedBoardView']
type Go = (values: Record<string, string | null>) => void

/** The speed board of a challenge. The board and the page are part of the URL. */
export function Component() {
  const { slug = '' } = useParams()
  const [params, setParams] = useSearchParams()
  const [board, cursor] = [params.get('board') ?? '', params.get('cursor') ?? '']
  const go: Go = values =>
    setParams(old => {
      const next = new URLSearchParams(old)
      for (const [name, value] of Object.entries({ cursor: null, ...values }))
        value ? next.set(name, value) : next.delete(name)
      return next
    })
  const query = useQuery(speedBoard(slug, board, cursor))
  useTitle(query.data && `Speed board: ${query.data.title}`)
  return (
    <Container size="lg" py="xl">
      <Loaded page query={query}>
        {page => (
          <>
            <Text size="sm">
              <Anchor component={Link} to="/speed">
                Speed boards
              </Anchor>
            </Text>
            <Group justify="space-between" align="end" gap="sm">
              <Title order={1}>{page.title}</Title>
              <Button component={Link} to={`/challenges/${slug}`} variant="default">
                Open the challenge
              </Button>
            </Group>
            <p className={css.lead}>
              {LEAD[page.quantity]}, at size {page.sizes.at(-1)}. {MEANING}
            </p>
            <OwnPanel
              slug={slug}
              board={board}
              quantity={page.quantity}
              archived={page.board?.current === false}
            />
            {page.board ? (
              <Shown page={page} board={page.board} cursor={cursor} go={go} />
            ) : (
              <Empty slug={slug} waiting={page.waiting} />
            )}
          </>
        )}
      </Loaded>
    </Container>
  )
}

function Empty({ slug, waiting }: { slug: string; waiting: number }) {
  return (
    <Paper radius="lg" p="xl" mt="lg" withBorder>
      <Title order={2} fz="1.35rem">
        {waiting > 0 ? 'The first answer is being measured' : 'No one is on this board yet'}
      </Title>
      <Text mt="xs" maw="38rem">
        {waiting > 0
          ? 'A measurement takes up to a minute. The board appears here when it has finished.'
          : 'Be the first: every accepted answer to this challenge is measured, and the best one of each person is ranked here.'}
      </Text>
      <Button mt="md" component={Link} to={`/challenges/${slug}`}>
        Solve the challenge
      </Button>
    </Paper>
  )
}

interface ShownProps {
  page: BoardPage
  board: Board
  cursor: string
  go: Go
}

function Shown({ page, board, cursor, go }: ShownProps) {
  const account = useMe()?.id
  const house = page.house.map(each => each.interval)
  const rows: Row[] = page.items.map(each => ({
    key: each.id,
    mark: <RankMark rank={each.rank} />,
    name: <EntryName entry={each} slug={page.slug} me={account} />,
    interval: each.interval,
    mine: each.account_id === account,
  }))
  const confirming: Row[] = page.confirming.map(each => ({
    key: each.id,
    mark: '…',
    name: <EntryName entry={each} slug={page.slug} me={account} />,
    interval: each.interval,
    tone: 'soft',
    mine: each.account_id === account,
  }))
  const houseRows: Row[] = page.house.map(each => ({
    key: each.role,
    mark: '',
    name: (
      <Anchor component={Link} to={`/challenges/${page.slug}/speed/${each.id}`} c="inherit">
        {ROLES[each.role]}
      </Anchor>
    ),
    interval: each.interval,
    tone: 'house',
  }))
  const shared = [...page.items, ...page.confirming].map(each => each.interval)
  return (
    <>
      {page.boards.length > 1 && <BoardChoice page={page} board={board} go={go} />}
      {!board.current && (
        <Text mt="md" className={css.note}>
          This board is archived. Answers are measured on another machine or with other software now, and
          results of different boards are never compared.
        </Text>
      )}
      <Part title="Places">
        {rows.length > 0 ? (
          <IntervalPlot
            label="Entries"
            rows={rows}
            also={[...house, ...confirming.map(each => each.interval)]}
          />
        ) : (
          <Text c="dimmed">
            {cursor ? 'There are no more entries.' : 'No entry has a place yet.'}{' '}
            <Anchor component={Link} to={`/challenges/${page.slug}`} underline="always">
              Solve the challenge
            </Anchor>{' '}
            to be the first.
          </Text>
        )}
        <Group mt="md" justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {pluralize(page.total, 'entry', 'entries')}
            {page.waiting > 0 && `, ${pluralize(page.waiting, 'answer')} waiting to be measured`}
          </Text>
          <Group gap="xs">
            {cursor && (
              <Button variant="default" size="xs" onClick={() => go({})}>
                First page
              </Button>
            )}
            {page.next_cursor && (
              <Button variant="default" size="xs" onClick={() => go({ cursor: page.next_cursor })}>
                Next page
              </Button>
            )}
          </Group>
        </Group>
      </Part>
      {confirming.length > 0 && (
        <Part
          title="Being confirmed"
          text="These are measured again with other inputs before they get a place."
        >
          <IntervalPlot
            label="Entries that are being confirmed"
            rows={confirming}
            also={[...house, ...shared]}
            ordered={false}
          />
        </Part>
      )}
      {houseRows.length > 0 && (
        <Part title="For comparison" text="Answers of the challenge itself. They have no place.">
          <IntervalPlot label="Answers for comparison" rows={houseRows} also={shared} ordered={false} />
        </Part>
      )}
      {page.withdrawn.length > 0 && <Withdrawn items={page.withdrawn} slug={page.slug} />}
      <About board={board} slug={page.slug} />
    </>
  )
}

function BoardChoice({ page, board, go }: { page: BoardPage; board: Board; go: Go }) {
  return (
    <Select
      mt="lg"
      maw={520}
      label="Board"
      value={board.id}
      allowDeselect={false}
      data={page.boards.map(each => ({
        value: each.id,
        label: `${each.current ? 'Current' : 'Archived'}: ${each.cpu}, torch ${each.torch}, ${formatDate(each.measured_at)}`,
      }))}
      onChange={value => go({ board: page.boards.find(each => each.id === value)?.current ? null : value })}
    />
  )
}

function Withdrawn({ items, slug }: { items: Schemas['WithdrawnView'][]; slug: string }) {
  return (
    <Part title="Withdrawn" text="Only moderators and the owner of an answer see this.">
      <ul className={css.withdrawn}>
        {items.map(each => (
          <li key={each.id}>
            <Anchor component={Link} to={`/challenges/${slug}/speed/${each.id}`} dir="auto">
              {each.name}
            </Anchor>{' '}
            <Text span c="dimmed" size="sm">
              {formatDate(each.at)}
            </Text>
            <div>{each.reason}</div>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function About({ board, slug }: { board: Board; slug: string }) {
  const facts: [string, ReactNode][] = [
    ['Processor', board.cpu],
    ['torch', board.torch],
    ['Noise floor', `±${formatPercent(board.noise)}`],
    ['One thread reaches', `${Math.round(board.gflops)} GFLOP/s, ${Math.round(board.gb_per_s)} GB/s`],
    ['Last measured', formatDate(board.measured_at)],
  ]
  return (
    <Part title="How it is measured">
      <Text size="sm" maw="46rem">
        Your answer and the baseline take turns, each run in a new process. While they run, the machine judges
        nothing else. The measurement ends when the 95% interval of the ratio is ±3%, or after 30 seconds. In
        each run, every input depends on the output before it, and the result is checked, so nothing can be
        left out or remembered. The bars include the noise floor: how much repeated measurements of the
        baseline differ.
      </Text>
      <dl className={css.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Text size="sm" mt="md">
        <a href={`/api/boards/speed/${slug}/embed.svg`}>Picture to embed</a> ·{' '}
        <a href={`/api/boards/speed/${slug}`}>JSON</a>
      </Text>
    </Part>
  )
}

export function Part({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <section className={css.part} aria-label={title}>
      <Title order={2} fz="1.35rem">
        {title}
      </Title>
      {text && (
        <Text c="dimmed" size="sm" mt={2}>
          {text}
        </Text>
      )}
      <div className={css.body}>{children}</div>
    </section>
  )
}
