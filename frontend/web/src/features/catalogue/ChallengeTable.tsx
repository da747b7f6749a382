import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { challengeStats } from '@/api/queries'
import { BookmarkButton } from '@/features/bookmarks'
import { StatusSign, statusOf, useProgress } from '@/features/progress'
import { formatPercent, pluralize } from '@/shared/format/numbers'
import { Difficulty } from '@/shared/ui/Difficulty'
import css from './ChallengeTable.module.css'

type Challenge = Schemas['ChallengeCard']

/** Challenges as rows. Narrow screens leave out the figures, and show section and difficulty below the title. */
export function ChallengeTable({ items }: { items: Challenge[] }) {
  const progress = useProgress()
  const stats = new Map(useQuery(challengeStats).data?.map(each => [each.slug, each]))
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th className={css.status}>
            <VisuallyHidden>Status</VisuallyHidden>
          </th>
          <th>Title</th>
          <th className={css.section}>Section</th>
          <th className={css.level}>Difficulty</th>
          <th className={css.number}>Tests</th>
          <th className={css.number}>Acceptance</th>
          <th className={css.mark}>
            <VisuallyHidden>Bookmark</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(each => {
          const status = progress ? statusOf(progress, each.slug) : 'new'
          return (
            <tr key={each.slug}>
              <td className={css.status}>
                {status !== 'new' && (
                  <span title={status}>
                    <StatusSign status={status} />
                    <VisuallyHidden>{status}</VisuallyHidden>
                  </span>
                )}
              </td>
              <td className={css.title}>
                <Link to={`/challenges/${each.slug}`}>{each.title}</Link>
                <span className={css.below}>
                  {each.section} <Difficulty level={each.difficulty} />
                </span>
              </td>
              <td className={css.section}>{each.section}</td>
              <td className={css.level}>
                <Difficulty level={each.difficulty} />
              </td>
              <td className={css.number}>{each.tests_count}</td>
              <td className={css.number}>
                <Acceptance of={stats.get(each.slug)} />
              </td>
              <td className={css.mark}>
                <BookmarkButton slug={each.slug} title={each.title} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** The share of submissions that were accepted; a dash before the first submission. */
function Acceptance({ of }: { of: Schemas['ChallengeStats'] | undefined }) {
  if (!of)
    return (
      <span className={css.none}>
        <span aria-hidden="true">–</span>
        <VisuallyHidden>no submissions yet</VisuallyHidden>
      </span>
    )
  return (
    <span title={`Solved by ${pluralize(of.solvers, 'person', 'people')}`}>
      {formatPercent(of.accepted / of.submissions)}
    </span>
  )
}
