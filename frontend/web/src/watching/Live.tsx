import { Button, Group, SegmentedControl, Select, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { More } from '../parts/Pages'
import { Loaded } from '../parts/States'
import { LiveTable } from './LiveTable'
import { SORTS, type Sort, sorted } from './order'
import { live, type Only, type Place } from './queries'
import css from './Watching.module.css'
import { many, skewOf } from './words'

const NAMES: Record<Sort, string> = {
  started: 'Newest start',
  name: 'Name',
  left: 'Least time left',
  sent: 'Most submitted',
  score: 'Best score',
  seen: 'Seen last',
}

/** Everybody who takes the assessment, as it is at this moment. */
export function Live({ at, mayChange }: { at: Place; mayChange: boolean }) {
  const [params, setParams] = useSearchParams()
  const only = (['running', 'finished'] as const).find(each => each === params.get('only'))
  const sort = SORTS.find(each => each === params.get('sort')) ?? 'started'
  const query = useInfiniteQuery(live(at, only))
  const set = (name: string, value: string, usual: string) =>
    setParams(
      before => {
        if (value === usual) before.delete(name)
        else before.set(name, value)
        return before
      },
      { replace: true },
    )
  return (
    <Loaded query={query}>
      {data => {
        const rows = data.pages.flatMap(page => page.items)
        if (rows.length === 0 && !only) return <Nobody at={at} />
        const skew = skewOf(data.pages[0]?.server_time ?? '', query.dataUpdatedAt)
        return (
          <>
            <div className={css.bar}>
              <SegmentedControl
                aria-label="Who is shown"
                value={only ?? 'all'}
                onChange={value => set('only', value, 'all')}
                data={[
                  { value: 'all', label: 'Everybody' },
                  { value: 'running', label: 'Running' },
                  { value: 'finished', label: 'Finished' },
                ]}
              />
              <Select
                aria-label="Order"
                value={sort}
                data={SORTS.map(value => ({ value, label: NAMES[value] }))}
                allowDeselect={false}
                onChange={value => value && set('sort', value, 'started')}
                w={180}
              />
              <Text size="sm" c="dimmed" role="status">
                {told(rows, only, query.hasNextPage)}
              </Text>
            </div>
            {rows.length > 0 ? (
              <LiveTable at={at} rows={sorted(rows, sort)} skew={skew} mayChange={mayChange} />
            ) : (
              <Text c="dimmed" my="xl">
                {only === 'running' ? 'Nobody is at work at this moment.' : 'Nobody has finished yet.'}
              </Text>
            )}
            <More query={query} />
          </>
        )
      }}
    </Loaded>
  )
}

function told(rows: { finished_at: string | null }[], only: Only | undefined, more: boolean): string {
  const running = rows.filter(row => row.finished_at === null).length
  const others = more ? ' (not all are shown)' : ''
  if (only) return `${many(rows.length, 'person', 'people')}${others}`
  return `${running} at work, ${rows.length - running} finished${others}`
}

function Nobody({ at }: { at: Place }) {
  return (
    <div className={css.nobody}>
      <Title order={2} fz="1.4rem">
        Nobody has started yet
      </Title>
      <Text c="dimmed" maw="34rem" mt="xs" mb="lg">
        Whoever opens an invitation and starts appears here within seconds: what they work on, the time they
        have left, and what they have sent.
      </Text>
      <Group>
        <Button component={Link} to={`/teams/${at.teamId}/assessments/${at.assessmentId}/invitations`}>
          Invite candidates
        </Button>
      </Group>
    </div>
  )
}
