import { Text, Title } from '@mantine/core'
import { pluralize } from '@/shared/format/numbers'
import css from '../Builder.module.css'
import { usePlanContext } from '../context'
import { templatesFrom } from '../plan/templates'
import { formatPointsRange, totalsOf } from '../plan/totals'

/** Templates to start an empty plan from. */
export function Templates() {
  const { things, change } = usePlanContext()
  if (!things) return null
  return (
    <section aria-labelledby="starts">
      <Title order={2} id="starts" fz="1.3rem">
        Start from a template
      </Title>
      <Text c="dimmed" mt={4} mb="md">
        You can change everything later. Nothing is saved until you click Save.
      </Text>
      <div className={css.starts}>
        {templatesFrom(things).map(({ name, about, form }) => {
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
                <span>{form.minutes} minutes</span>
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
