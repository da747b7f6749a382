import { Text, Title } from '@mantine/core'
import css from '../Builder.module.css'
import { usePlanContext } from '../context'
import { describeTimeLimit, formatRange, type Range, sectionTotals, totalsOf } from '../plan/totals'
import { describePlace } from '../plan/validation'

const SHOWN = 6

/** The totals of the plan so far, and what prevents opening it. */
export function PlanSummary() {
  const { form, things, faults, warnings } = usePlanContext()
  const { items, points, minutes } = totalsOf(form, things)
  return (
    <section className={css.glance} aria-label="Plan totals">
      <dl className={css.figures}>
        <Fact label={points.most === 1 ? 'point' : 'points'} range={points} />
        <Fact label={items === 1 ? 'item' : 'items'} range={{ least: items, most: items }} />
        <Fact label="expected minutes" range={minutes} />
      </dl>
      <Hours minutes={minutes} />
      {faults.length > 0 && (
        <div role="status">
          <Title order={3} fz="0.95rem" mt="md">
            Fix before opening
          </Title>
          <ul className={css.faults}>
            {faults.slice(0, SHOWN).map(each => (
              <li key={`${each.field} ${each.message}`}>
                {describePlace(each, form)}
                {each.message}
              </li>
            ))}
            {faults.length > SHOWN && <li>and {faults.length - SHOWN} more</li>}
          </ul>
        </div>
      )}
      {warnings.length > 0 && (
        <>
          <Title order={3} fz="0.95rem" mt="md">
            Warnings
          </Title>
          <ul className={css.faults}>
            {warnings.map(each => (
              <li key={`${each.field} ${each.message}`}>
                {describePlace(each, form)}
                {each.message}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Fact({ label, range }: { label: string; range: Range }) {
  return (
    <div className={css.fact}>
      <dt>{label}</dt>
      <dd>{formatRange(range)}</dd>
    </div>
  )
}

/** The expected minutes of each section against its time limit. */
function Hours({ minutes }: { minutes: Range }) {
  const { form, things } = usePlanContext()
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
            style={{ width: `${(100 * sectionTotals(section, things).minutes.most) / whole}%` }}
          />
        ))}
      </div>
      <Text size="sm" c={over ? 'var(--g-medium)' : 'dimmed'} mt={6}>
        {describeTimeLimit(minutes, form.minutes)}
      </Text>
    </>
  )
}
