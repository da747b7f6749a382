import { Text, Title } from '@mantine/core'
import { many } from '../team/words'
import css from './Builder.module.css'
import { useWork } from './context'
import { pointsTold, reckon } from './reckon'
import { startsOf } from './starts'

/** For an assessment without a plan: something to begin with. */
export function Starts() {
  const { things, change } = useWork()
  if (!things) return null
  return (
    <section aria-labelledby="starts">
      <Title order={2} id="starts" fz="1.3rem">
        Where do you want to start?
      </Title>
      <Text c="dimmed" mt={4} mb="md">
        Everything can be changed afterwards. Nothing is saved until you save it.
      </Text>
      <div className={css.starts}>
        {startsOf(things).map(({ name, about, form }) => {
          const { items, points } = reckon(form, things)
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
                {items > 0 && <span>{many(items, 'item')}</span>}
                {items > 0 && <span>{pointsTold(points)}</span>}
              </span>
            </button>
          )
        })}
      </div>
    </section>
  )
}
