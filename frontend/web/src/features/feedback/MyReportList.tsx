import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '@/api/client'
import { reports } from '@/api/queries'
import { formatOptionalDateTime } from '@/shared/format/numbers'
import { Loaded } from '@/shared/ui/QueryStates'
import { StatusBadge } from '@/shared/ui/StatusBadge'
import css from './Reports.module.css'
import { KINDS, Place, STATES } from './reportStates'

/** The user's own reports with the replies. */
export function MyReportList() {
  return (
    <Loaded query={useQuery(reports)}>
      {items =>
        items.length ? (
          items.map(item => <One key={item.id} item={item} />)
        ) : (
          <Text c="dimmed">
            No reports yet. Every challenge, topic and question has a “Report an error” button.
          </Text>
        )
      }
    </Loaded>
  )
}

function One({ item }: { item: Schemas['ReportView'] }) {
  return (
    <article className={css.card}>
      <div className={css.head}>
        <Text fw={600}>{item.kind === 'suggestion' ? item.title : KINDS[item.kind]}</Text>
        <StatusBadge state={item.state}>{STATES[item.state]}</StatusBadge>
        <Text size="sm" c="dimmed">
          <Place item={item} />
          {formatOptionalDateTime(item.created_at)}
        </Text>
      </div>
      <p className={css.words}>{item.tests || item.words}</p>
      {item.reply && <p className={css.reply}>{item.reply}</p>}
    </article>
  )
}
