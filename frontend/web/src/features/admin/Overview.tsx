import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { formatCount, formatDuration, pluralize } from '@/shared/format/numbers'
import { Loaded } from '@/shared/ui/QueryStates'
import { VERDICTS } from '@/shared/verdicts'
import css from './Admin.module.css'
import { AdminPart, AdminSection } from './AdminSection'
import { overview } from './requests'

type OverviewFigures = Schemas['Overview']

export function Overview() {
  return (
    <AdminPart
      title="Overview"
      description="These figures do not update while the page is open. Guests are not counted as accounts."
    >
      <Loaded query={useQuery(overview)}>{figures => <Figures figures={figures} />}</Loaded>
    </AdminPart>
  )
}

function Figures({ figures }: { figures: OverviewFigures }) {
  const rate = figures.judge_error_rate
  return (
    <>
      <div className={css.tiles} data-wide>
        <Tile
          to="/admin/accounts"
          figure={formatCount(figures.accounts)}
          label={`accounts, ${formatCount(figures.new_accounts)} new in 7 days`}
        />
        <Tile to="/admin/accounts?role=guest" figure={formatCount(figures.guests)} label="guests" />
        <Tile to="/admin/accounts?banned=1" figure={formatCount(figures.banned)} label="banned" />
        <Tile to="/admin/reports" figure={formatCount(figures.open_reports)} label="open reports" />
        <Tile
          to="/admin/suggestions"
          figure={formatCount(figures.open_suggestions)}
          label="open suggestions"
        />
        <Tile figure={formatDuration(figures.latency.p50_s)} label="median time to verdict" />
        <Tile figure={formatDuration(figures.latency.p95_s)} label="95th percentile time to verdict" />
        <Tile
          to="/admin/queue"
          figure={rate === null ? '–' : `${(100 * rate).toFixed(rate && rate < 0.01 ? 2 : 1)}%`}
          label="judge errors in 30 days"
        />
      </div>
      <Text size="sm" c="dimmed" mt="xs">
        {figures.latency.judgings
          ? `Times to verdict are based on the latest ${pluralize(figures.latency.judgings, 'submission')} of the last 7 days. Rejudges are excluded.`
          : 'Nothing was judged in the last 7 days.'}
      </Text>
      <AdminSection title="Submissions per day">
        <Days days={figures.days} />
      </AdminSection>
      <AdminSection title="Verdicts in 30 days">
        <Verdicts verdicts={figures.verdicts} />
      </AdminSection>
    </>
  )
}

function Tile({ figure, label, to }: { figure: string; label: string; to?: string }) {
  const inside = (
    <>
      <span className={css.figure}>{figure}</span>
      <span className={css.label}>{label}</span>
    </>
  )
  return to ? (
    <Link to={to} className={css.tile}>
      {inside}
    </Link>
  ) : (
    <div className={css.tile}>{inside}</div>
  )
}

function Days({ days }: { days: OverviewFigures['days'] }) {
  const most = Math.max(1, ...days.map(each => each.submissions))
  const all = days.reduce((sum, each) => sum + each.submissions, 0)
  return (
    <>
      <div
        className={css.chart}
        role="img"
        aria-label={`${pluralize(all, 'submission')} in ${days.length} days, peak: ${formatCount(most)} per day`}
      >
        {days.map(each => (
          <div
            key={each.day}
            className={css.bar}
            data-empty={each.submissions === 0 || undefined}
            style={{ height: `${(100 * each.submissions) / most}%` }}
            title={`${each.day}: ${formatCount(each.submissions)}`}
          />
        ))}
      </div>
      <div className={css.axis}>
        <span>{days[0]?.day}</span>
        <span>
          {pluralize(all, 'submission')}, peak: {formatCount(most)} per day
        </span>
        <span>today (UTC)</span>
      </div>
    </>
  )
}

const percent = (share: number) => (share < 0.005 ? '< 1' : Math.round(100 * share))

export function Verdicts({ verdicts }: { verdicts: OverviewFigures['verdicts'] }) {
  const all = verdicts.reduce((sum, each) => sum + each.count, 0)
  if (!all) return <Text c="dimmed">None yet.</Text>
  return verdicts
    .toSorted((a, b) => b.count - a.count)
    .map(each => (
      <div key={each.verdict} className={css.share}>
        <span>{VERDICTS[each.verdict].name}</span>
        <div className={css.track}>
          <div
            className={css.fill}
            data-good={each.verdict === 'AC' || undefined}
            style={{ width: `${(100 * each.count) / all}%` }}
          />
        </div>
        <span>
          {formatCount(each.count)} · {percent(each.count / all)}%
        </span>
      </div>
    ))
}
