import { Text, Title } from '@mantine/core'
import { many } from '../team/words'
import css from './Builder.module.css'
import { useWork } from './context'
import { placeOf } from './faults'
import { type Range, reckon, reckonSection, told } from './reckon'

const SHOWN = 6

/** What the plan comes to so far, and what is in its way. */
export function Glance() {
  const { form, things, faults } = useWork()
  const { items, points, minutes } = reckon(form, things)
  return (
    <section className={css.glance} aria-label="The plan so far">
      <dl className={css.figures}>
        <Fact label={points.most === 1 ? 'point' : 'points'} range={points} />
        <Fact label={items === 1 ? 'item' : 'items'} range={{ least: items, most: items }} />
        <Fact label="minutes expected" range={minutes} />
      </dl>
      <Hours minutes={minutes} />
      {faults.length > 0 && (
        <div role="status">
          <Title order={3} fz="0.95rem" mt="md">
            Still in the way
          </Title>
          <ul className={css.faults}>
            {faults.slice(0, SHOWN).map(each => (
              <li key={`${each.field} ${each.message}`}>
                {placeOf(each, form)}
                {each.message}
              </li>
            ))}
            {faults.length > SHOWN && <li>and {many(faults.length - SHOWN, 'more thing')}</li>}
          </ul>
        </div>
      )}
    </section>
  )
}

function Fact({ label, range }: { label: string; range: Range }) {
  return (
    <div className={css.fact}>
      <dt>{label}</dt>
      <dd>{told(range)}</dd>
    </div>
  )
}

/** The minutes that each section is expected to take, against those that there are. */
function Hours({ minutes }: { minutes: Range }) {
  const { form, things } = useWork()
  const whole = Math.max(form.minutes, minutes.most)
  const over = minutes.most > form.minutes
  return (
    <>
      <div className={css.hours} aria-hidden="true">
        {form.sections.map(section => (
          <span
            key={section.key}
            className={css.hour}
            data-over={over || undefined}
            style={{ width: `${(100 * reckonSection(section, things).minutes.most) / whole}%` }}
          />
        ))}
      </div>
      <Text size="sm" c={over ? 'var(--g-medium)' : 'dimmed'} mt={6}>
        {over
          ? `More than the ${many(form.minutes, 'minute')} that there are. Fine, if not everybody is to finish.`
          : `of the ${many(form.minutes, 'minute')} that there are`}
      </Text>
    </>
  )
}
