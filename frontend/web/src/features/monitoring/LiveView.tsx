import { Button, Group, SegmentedControl, Select, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { pluralize } from '@/shared/format/numbers'
import { ShowMore } from '@/shared/ui/PagedList'
import { Loaded } from '@/shared/ui/QueryStates'
import { LiveTable } from './LiveTable'
import { clockSkewOf } from './labels'
import css from './Monitoring.module.css'
import { live, type Only, type Place } from './requests'
import { SORTS, type Sort, sorted } from './sorting'

const NAMES: Record<Sort, string> = {
  started: 'Latest start',
  name: 'Name',
  left: 'Least time left',
  sent: 'Most items submitted',
  score: 'Highest score',
  seen: 'Last seen',
}

/** The current state of all candidates of the assessment. */
export function LiveView({ at, mayChange }: { at: Place; mayChange: boolean }) {
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
        if (rows.length === 0 && !only) return <NotStarted at={at} />
        const skew = clockSkewOf(data.pages[0]?.server_time ?? '', query.dataUpdatedAt)
        return (
          <>
            <div className={css.bar}>
              <SegmentedControl
                aria-label="Show"
                value={only ?? 'all'}
                onChange={value => set('only', value, 'all')}
                data={[
                  { value: 'all', label: 'All' },
                  { value: 'running', label: 'In progress' },
                  { value: 'finished', label: 'Finished' },
                ]}
              />
              <Select
                aria-label="Sort by"
                value={sort}
                data={SORTS.map(value => ({ value, label: NAMES[value] }))}
                allowDeselect={false}
                onChange={value => value && set('sort', value, 'started')}
                w={180}
              />
              <Text size="sm" c="dimmed" role="status">
                {countsOf(rows, only, query.hasNextPage)}
              </Text>
            </div>
            {rows.length > 0 ? (
              <LiveTable at={at} rows={sorted(rows, sort)} skew={skew} mayChange={mayChange} />
            ) : (
              <Text c="dimmed" my="xl">
                {only === 'running'
                  ? 'No one is taking the assessment right now.'
                  : 'No one has finished yet.'}
              </Text>
            )}
            <ShowMore query={query} />
          </>
        )
      }}
    </Loaded>
  )
}

function countsOf(rows: { finished_at: string | null }[], only: Only | undefined, more: boolean): string {
  const running = rows.filter(row => row.finished_at === null).length
  const others = more ? ' (not all are shown)' : ''
  if (only) return `${pluralize(rows.length, 'candidate')}${others}`
  return `${running} in progress, ${rows.length - running} finished${others}`
}

function NotStarted({ at }: { at: Place }) {
  return (
    <div className={css.empty}>
      <Title order={2} fz="1.4rem">
        No one has started yet
      </Title>
      <Text c="dimmed" maw="34rem" mt="xs" mb="lg">
        Candidates appear here within seconds of starting, with their current item, the time they have left
        and their submissions.
      </Text>
      <Group>
        <Button component={Link} to={`/teams/${at.teamId}/assessments/${at.assessmentId}/invitations`}>
          Invite candidates
        </Button>
      </Group>
    </div>
  )
}
