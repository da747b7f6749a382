import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../api/client'
import { outages, type Place } from './queries'
import css from './Watching.module.css'
import { lasting, many } from './words'

const moment = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** What was reported, by whom, and what it gave back to whom. Nothing while there was none. */
export function Outages({ at }: { at: Place }) {
  const { data } = useQuery(outages(at))
  if (!data?.items.length) return null
  return (
    <section aria-labelledby="outages" className={css.outages}>
      <Title order={2} fz="1.3rem" id="outages">
        Outages
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        Time in which nobody could work, as it was reported. What overlaps was given back once.
      </Text>
      {data.items.map(each => (
        <One key={each.id} outage={each} />
      ))}
    </section>
  )
}

function One({ outage }: { outage: Schemas['OutageView'] }) {
  const [begins, ends] = [new Date(outage.begins_at), new Date(outage.ends_at)]
  const head = (
    <>
      <span className={css.when}>{moment.formatRange(begins, ends)}</span>
      <span className={css.soft}>
        {lasting((ends.getTime() - begins.getTime()) / 1000)}, reported by{' '}
        {outage.reported_by ?? 'somebody who has left'}
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
            {each.name}: {lasting(each.seconds)}
          </li>
        ))}
        {outage.affected > outage.people.length && <li>and {outage.affected - outage.people.length} more</li>}
      </ul>
    </details>
  )
}

const gave = ({ affected, given_back_s }: Schemas['OutageView']) =>
  affected === 0
    ? 'gave nothing back'
    : `gave ${lasting(given_back_s)} back to ${many(affected, 'person', 'people')}`
