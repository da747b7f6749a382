import { Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import css from './Profile.module.css'

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

const LEVELS = [
  ['easy', 'green'],
  ['medium', 'amber'],
  ['hard', 'red'],
] as const

interface Props {
  challenges: Schemas['ChallengeCard'][]
  solves: Schemas['SolveView'][]
}

/** Every challenge as a tile, grouped by section. Solved ones are filled and have a tick. */
export function SolvedMap({ challenges, solves }: Props) {
  const solved = new Map(solves.map(each => [each.slug, each]))
  const sections = new Map<string, Schemas['ChallengeCard'][]>()
  for (const each of challenges) sections.set(each.section, [...(sections.get(each.section) ?? []), each])
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm" component="div" className={css.key}>
        <span>
          <span className={css.tile} data-solved="true" aria-hidden="true">
            ✓
          </span>{' '}
          solved
        </span>
        <span>
          <span className={css.tile} aria-hidden="true" /> not yet
        </span>
        {LEVELS.map(([level, colour]) => (
          <span key={level}>
            <span className={css.tile} data-level={level} aria-hidden="true" /> {level} ({colour})
          </span>
        ))}
      </Text>
      <div className={css.map}>
        {[...sections].map(([section, items]) => (
          <section key={section} className={css.row} aria-label={section}>
            <h3>
              {section}{' '}
              <span>
                {items.filter(each => solved.has(each.slug)).length} of {items.length}
              </span>
            </h3>
            <div className={css.tiles}>
              {items.map(each => {
                const found = solved.get(each.slug)
                const label = found
                  ? `${each.title} (${each.difficulty}): solved on ${day.format(new Date(found.solved_at))}`
                  : `${each.title} (${each.difficulty}): not solved yet`
                return (
                  <Link
                    key={each.slug}
                    to={`/challenges/${each.slug}`}
                    className={css.tile}
                    data-level={each.difficulty}
                    data-solved={found !== undefined}
                    aria-label={label}
                    title={label}
                  >
                    {found && '✓'}
                  </Link>
                )
              })}
            </div>
          </section>
        ))}
      </div>
    </>
  )
}
