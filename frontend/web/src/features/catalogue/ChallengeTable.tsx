import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { memo, useDeferredValue } from 'react'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { challengeStats } from '@/api/queries'
import { BookmarkIcon, useBookmarks } from '@/features/bookmarks'
import { type Status, StatusSign, statusOf, useProgress } from '@/features/progress'
import { formatPercent, pluralize } from '@/shared/format/numbers'
import { Difficulty } from '@/shared/ui/Difficulty'
import css from './ChallengeTable.module.css'

type Challenge = Schemas['ChallengeCard']

// The first rows fill a screen. Rendering all of them at once would keep the page from reacting for a moment.
const FIRST = 30
// The height of a row in pixels, by which the page is as tall from the start, so that going back finds its place.
const ROW = 41

/** Challenges as rows. Narrow screens leave out the figures, and show section and difficulty below the title. */
export function ChallengeTable({ items }: { items: Challenge[] }) {
  const shown = useDeferredValue(items, items.slice(0, FIRST))
  const missing = Math.max(0, items.length - shown.length)
  const progress = useProgress()
  const { isOn, change } = useBookmarks()
  const stats = new Map(useQuery(challengeStats).data?.map(each => [each.slug, each]))
  return (
    <table className={css.table} style={{ marginBottom: missing * ROW }}>
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
        {shown.map(each => (
          <Row
            key={each.slug}
            challenge={each}
            status={progress ? statusOf(progress, each.slug) : 'new'}
            stats={stats.get(each.slug)}
            bookmarked={isOn(each.slug)}
            onBookmark={change}
          />
        ))}
      </tbody>
    </table>
  )
}

interface RowProps {
  challenge: Challenge
  status: Status
  stats: Schemas['ChallengeStats'] | undefined
  bookmarked: boolean
  onBookmark: ReturnType<typeof useBookmarks>['change']
}

/** A row changes only with its own values, not with every key that is typed into a filter. */
const Row = memo(function Row({ challenge, status, stats, bookmarked, onBookmark }: RowProps) {
  const { slug, title, section, difficulty } = challenge
  return (
    <tr>
      <td className={css.status}>
        {status !== 'new' && (
          <span title={status}>
            <StatusSign status={status} />
            <VisuallyHidden>{status}</VisuallyHidden>
          </span>
        )}
      </td>
      <td className={css.title}>
        <Link to={`/challenges/${slug}`}>{title}</Link>
        {challenge.follow_up_to && (
          <span className={css.follows}>follow-up to {challenge.follow_up_to.title}</span>
        )}
        {challenge.scored && <span className={css.follows}>scored for {challenge.scored.quantity}</span>}
        <span className={css.below}>
          {section} <Difficulty level={difficulty} />
        </span>
      </td>
      <td className={css.section}>{section}</td>
      <td className={css.level}>
        <Difficulty level={difficulty} />
      </td>
      <td className={css.number}>{challenge.tests_count}</td>
      <td className={css.number}>
        <Acceptance of={stats} />
      </td>
      <td className={css.mark}>
        <BookmarkIcon title={title} on={bookmarked} onToggle={() => onBookmark({ slug, on: !bookmarked })} />
      </td>
    </tr>
  )
})

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
