import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '@/api/client'
import { pluralize } from '@/shared/format/numbers'
import { formatRoughDuration } from './labels'
import css from './Monitoring.module.css'
import { outages, type Place } from './requests'

const moment = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** Outages: how they were detected, and how much time they gave back to whom. Renders nothing if there were none. */
export function OutageList({ at }: { at: Place }) {
  const { data } = useQuery(outages(at))
  if (!data?.items.length) return null
  return (
    <section aria-labelledby="outages" className={css.outages}>
      <Title order={2} fz="1.3rem" id="outages">
        Outages
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        Outages that were reported, and periods when the queue was slow (the rule is on the candidates’ start
        page). Everyone affected gets the time back automatically. Overlapping time counts once.
      </Text>
      {data.items.map(each => (
        <One key={each.id} outage={each} />
      ))}
    </section>
  )
}

function One({ outage }: { outage: Schemas['OutageView'] }) {
  const begins = new Date(outage.begins_at)
  const ends = outage.ends_at === null ? null : new Date(outage.ends_at)
  const source =
    outage.source === 'queue'
      ? 'the queue was slow'
      : `reported by ${outage.reported_by ?? 'a former member'}`
  const head = (
    <>
      <span className={css.when}>
        {ends ? moment.formatRange(begins, ends) : `since ${moment.format(begins)}`}
      </span>
      <span className={css.soft}>
        {ends && `${formatRoughDuration((ends.getTime() - begins.getTime()) / 1000)}, `}
        {source}
      </span>
      <span>{gave(outage)}</span>
    </>
  )
  if (outage.affected === 0) return <div className={css.outage}>{head}</div>
  return (
    <details className={css.outage}>
      <summary>{head}</summary>
      <ul>
        {outage.people.map(each => (
          <li key={each.id}>
            {each.name}: {formatRoughDuration(each.seconds)}
          </li>
        ))}
        {outage.affected > outage.people.length && <li>and {outage.affected - outage.people.length} more</li>}
      </ul>
    </details>
  )
}

const gave = ({ affected, given_back_s }: Schemas['OutageView']) =>
  affected === 0
    ? 'no time given back'
    : `${formatRoughDuration(given_back_s)} given back to ${pluralize(affected, 'candidate')}`
