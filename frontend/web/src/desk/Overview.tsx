import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '../api/client'
import { VERDICTS } from '../challenge/verdicts'
import { Loaded } from '../parts/States'
import css from './Desk.module.css'
import { overview } from './data'
import { count, lasting, many } from './format'
import { Part, Section } from './Parts'

type Told = Schemas['Overview']

export function Overview() {
  return (
    <Part title="Overview" told="Counted from the tables when this page was opened. Guests are no accounts.">
      <Loaded query={useQuery(overview)}>{told => <Figures told={told} />}</Loaded>
    </Part>
  )
}

function Figures({ told }: { told: Told }) {
  const rate = told.judge_error_rate
  return (
    <>
      <div className={css.tiles} data-wide>
        <Tile
          to="/admin/accounts"
          figure={count(told.accounts)}
          label={`accounts, ${count(told.new_accounts)} new in 7 days`}
        />
        <Tile to="/admin/accounts?role=guest" figure={count(told.guests)} label="guests" />
        <Tile to="/admin/accounts?banned=1" figure={count(told.banned)} label="banned" />
        <Tile to="/admin/reports" figure={count(told.open_reports)} label="errors to answer" />
        <Tile to="/admin/suggestions" figure={count(told.open_suggestions)} label="suggestions to answer" />
        <Tile figure={lasting(told.latency.p50_s)} label="queue to verdict, median" />
        <Tile figure={lasting(told.latency.p95_s)} label="queue to verdict, 95th percentile" />
        <Tile
          to="/admin/queue"
          figure={rate === null ? '–' : `${(100 * rate).toFixed(rate && rate < 0.01 ? 2 : 1)} %`}
          label="judge errors, 30 days"
        />
      </div>
      <Text size="sm" c="dimmed" mt="xs">
        {told.latency.judgings
          ? `Times are of the newest ${many(told.latency.judgings, 'first judging')} within 7 days.`
          : 'Nothing was judged within 7 days.'}
      </Text>
      <Section title="Submissions a day">
        <Days days={told.days} />
      </Section>
      <Section title="Verdicts of 30 days">
        <Verdicts verdicts={told.verdicts} />
      </Section>
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

function Days({ days }: { days: Told['days'] }) {
  const most = Math.max(1, ...days.map(each => each.submissions))
  const all = days.reduce((sum, each) => sum + each.submissions, 0)
  return (
    <>
      <div
        className={css.chart}
        role="img"
        aria-label={`${many(all, 'submission')} in ${days.length} days, at most ${count(most)} on one`}
      >
        {days.map(each => (
          <div
            key={each.day}
            className={css.bar}
            data-empty={each.submissions === 0 || undefined}
            style={{ height: `${(100 * each.submissions) / most}%` }}
            title={`${each.day}: ${count(each.submissions)}`}
          />
        ))}
      </div>
      <div className={css.axis}>
        <span>{days[0]?.day}</span>
        <span>
          {many(all, 'submission')}, at most {count(most)} a day
        </span>
        <span>today (UTC)</span>
      </div>
    </>
  )
}

const percent = (share: number) => (share < 0.005 ? '< 1' : Math.round(100 * share))

export function Verdicts({ verdicts }: { verdicts: Told['verdicts'] }) {
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
          {count(each.count)} · {percent(each.count / all)} %
        </span>
      </div>
    ))
}
