import { Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { pluralize } from '@/shared/format/numbers'
import css from '../Builder.module.css'
import { usePlanContext } from '../context'
import { templatesFrom } from '../plan/templates'
import { formatPointsRange, totalsOf } from '../plan/totals'
import { readyMade } from '../requests'

/** Templates to start an empty plan from. */
export function Templates() {
  const { things, change, teamId } = usePlanContext()
  const query = useQuery(readyMade(teamId))
  // Without the list, a plan can still be started from the empty template.
  const ready = query.data ?? (query.isError ? [] : undefined)
  if (!things || !ready) return null
  return (
    <section aria-labelledby="starts">
      <Title order={2} id="starts" fz="1.3rem">
        Start from a ready-made assessment
      </Title>
      <Text c="dimmed" mt={4} mb="md">
        One for each role. You can change everything later, and nothing is saved until you click Save or Open.
      </Text>
      <div className={css.starts}>
        {templatesFrom(ready, things).map(({ name, about, measured, form }) => {
          const { items, points } = totalsOf(form, things)
          return (
            <button
              key={name}
              type="button"
              className={css.start}
              onClick={() => change({ do: 'load', form })}
            >
              <span className={css.startName}>{name}</span>
              <span className={css.startAbout}>{about}</span>
              <span className={css.about}>
                <span>
                  {form.minutes} minutes{measured && ', from the times of candidates'}
                </span>
                {items > 0 && <span>{pluralize(items, 'item')}</span>}
                {items > 0 && <span>{formatPointsRange(points)}</span>}
              </span>
            </button>
          )
        })}
      </div>
    </section>
  )
}
