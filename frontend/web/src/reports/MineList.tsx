import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../api/client'
import { reports } from '../api/queries'
import css from '../desk/Desk.module.css'
import { when } from '../desk/format'
import { Chip } from '../desk/Parts'
import { Loaded } from '../parts/States'
import { KINDS, Place, STATES } from './words'

/** Everything that one has told, with the answers. */
export function MineList() {
  return (
    <Loaded query={useQuery(reports)}>
      {items =>
        items.length ? (
          items.map(item => <One key={item.id} item={item} />)
        ) : (
          <Text c="dimmed">
            Nothing yet. Every challenge, topic and question has a quiet button for reporting an error.
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
        <Chip state={item.state}>{STATES[item.state]}</Chip>
        <Text size="sm" c="dimmed">
          <Place item={item} />
          {when(item.created_at)}
        </Text>
      </div>
      <p className={css.words}>{item.tests || item.words}</p>
      {item.reply && <p className={css.reply}>{item.reply}</p>}
    </article>
  )
}
