import { Button, Container, Group, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import { JudgingResults } from '@/features/judging'
import { CandidateFrame, ChatMessage } from '@/features/participations'
import { AnswerInWords } from '@/features/written-answers'
import { formatDateTime } from '@/shared/format/dates'
import { formatDuration, formatPoints, pluralize } from '@/shared/format/numbers'
import { useTitle } from '@/shared/hooks/useTitle'
import { Code } from '@/shared/markdown/Markdown'
import { Loaded } from '@/shared/ui/QueryStates'
import { VERDICTS } from '@/shared/verdicts'
import { describeAnswer } from './describeAnswer'
import css from './SharedReport.module.css'

type Report = Schemas['SharedReport']
type Item = Schemas['SharedItem']

const sharedReport = (token: string) =>
  queryOptions({
    queryKey: ['shared-report', token],
    retry: false,
    queryFn: () => unwrap(api.GET('/api/shared-reports/{token}', { params: { path: { token } } })),
  })

/** A candidate's report for people who have the link. It needs no account. */
export function Component() {
  const { token = '' } = useParams()
  const query = useQuery(sharedReport(token))
  useTitle(query.data ? `Report: ${query.data.name}` : 'Report')
  useUnlisted()
  return (
    <CandidateFrame name={query.data?.assessment ?? 'Report'}>
      <Container size="md" py="xl">
        {query.error instanceof ApiError && query.error.status < 500 && query.error.status > 0 ? (
          <>
            <Title order={1}>This report is not available</Title>
            <Text mt="sm">{query.error.message}</Text>
          </>
        ) : (
          <Loaded page query={query}>
            {found => <Whole report={found} token={token} />}
          </Loaded>
        )}
      </Container>
    </CandidateFrame>
  )
}

/** Tells search engines not to keep this page; the service's header says the same. */
function useUnlisted() {
  useEffect(() => {
    const meta = document.createElement('meta')
    meta.name = 'robots'
    meta.content = 'noindex, nofollow'
    document.head.append(meta)
    return () => meta.remove()
  }, [])
}

function Whole({ report, token }: { report: Report; token: string }) {
  const took = report.finished_at
    ? (Date.parse(report.finished_at) - Date.parse(report.started_at)) / 1000
    : null
  return (
    <>
      <header className={css.top}>
        <div>
          <Text c="dimmed">
            {report.team}, {report.assessment}
          </Text>
          <Title order={1}>{report.name}</Title>
          <Text size="sm" c="dimmed" mt={4}>
            Started {formatDateTime(report.started_at)}
            {took === null ? ', in progress' : `, took ${formatDuration(took)}`}
            {report.is_test && '. This is a test drive of a member of the team.'}
          </Text>
        </div>
        <div className={css.total}>
          <p className={css.score}>
            {formatPoints(report.adjusted)} <span>of {report.points}</span>
          </p>
          {report.to_review > 0 && (
            <Text size="sm" c="dimmed" mb={4}>
              {pluralize(report.to_review, 'point')} still to review
            </Text>
          )}
          <Button
            component="a"
            href={`/api/shared-reports/${encodeURIComponent(token)}/report.pdf`}
            download
            size="xs"
            variant="default"
            leftSection={<IconDownload size={15} />}
          >
            Download as PDF
          </Button>
        </div>
      </header>
      <Overview report={report} />
      {report.items.map(item => (
        <OneItem key={item.position} item={item} />
      ))}
      <Assistant report={report} />
      <Text size="sm" c="dimmed" mt="xl">
        {facts(report)} This link works until {formatDateTime(report.expires_at)}; the team sees when it is
        opened. Please do not pass it on.
      </Text>
    </>
  )
}

/** What was recorded besides the answers, in a sentence. */
function facts({ recorded, signals }: Report): string {
  const found = [
    recorded.includes('pastes') && pluralize(signals.pastes, 'paste'),
    recorded.includes('focus') && `left the page ${pluralize(signals.left, 'time')}`,
    recorded.includes('devices') && pluralize(signals.devices, 'change of device', 'changes of device'),
  ].filter(Boolean)
  return found.length > 0 ? `Recorded activity: ${found.join(', ')}. These are facts, not judgements.` : ''
}

function Overview({ report }: { report: Report }) {
  return (
    <table className={css.items}>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col">Result</th>
          <th scope="col">Time</th>
          <th scope="col">Points</th>
        </tr>
      </thead>
      <tbody>
        {report.items.map(item => (
          <tr key={item.position}>
            <td>
              {item.is_follow_up && 'Follow-up: '}
              <a href={`#item-${item.position}`}>{item.title}</a>
            </td>
            <td>{outcome(item)}</td>
            <td>{item.opened_at ? formatDuration(item.spent_s) : '–'}</td>
            <td>{pointsOf(item)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const pointsOf = (item: Item) =>
  item.to_review > 0 ? `– of ${item.points}` : `${formatPoints(item.adjusted)} of ${item.points}`

function outcome(item: Item): string {
  if (item.to_review > 0) return 'Awaits review'
  if (item.verdict) return VERDICTS[item.verdict].name
  if (item.kind === 'quiz') return item.sent ? `${item.sent} answered` : 'Not answered'
  if (item.kind === 'question') return item.sent ? 'Answered' : 'Not answered'
  return item.unfinished ? 'Being judged' : 'Not submitted'
}

function OneItem({ item }: { item: Item }) {
  return (
    <section id={`item-${item.position}`} className={css.item} aria-label={item.title}>
      <Group justify="space-between" align="baseline">
        <Title order={2} fz="1.3rem">
          {item.position}. {item.title}
        </Title>
        <Text c="dimmed">{pointsOf(item)}</Text>
      </Group>
      {item.answer ? (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            {describeAnswer(item.answer, item.later)}
          </Text>
          <Code source={item.source} />
          <div className={css.results}>
            <JudgingResults
              state={{ phase: 'ended', id: item.answer.id, end: item.answer, tests: item.answer.tests }}
            />
          </div>
        </>
      ) : item.text ? (
        <AnswerInWords answer={item.text} />
      ) : (
        <Text size="sm" c="dimmed">
          {item.kind === 'challenge'
            ? 'No answer was submitted.'
            : `A ${item.kind}: ${outcome(item).toLowerCase()}.`}
        </Text>
      )}
    </section>
  )
}

function Assistant({ report }: { report: Report }) {
  const { messages, declaration } = report.transcript
  if (messages.length === 0 && !declaration) return null
  const title = (position: number) => report.items.find(each => each.position === position)?.title ?? ''
  return (
    <section className={css.item} aria-labelledby="assistant">
      <Title order={2} fz="1.3rem" id="assistant" mb="xs">
        AI assistant
      </Title>
      {declaration && (
        <Text mb="sm" className={css.said}>
          {declaration.text
            ? `The candidate could use their own assistant, and said about it: “${declaration.text}”`
            : 'The candidate could use their own assistant, and said nothing about it.'}
        </Text>
      )}
      <ol className={css.talk}>
        {messages.map(each => (
          <li key={each.id}>
            <ChatMessage
              message={each}
              who={report.name}
              when={`${formatDateTime(each.asked_at)}, ${title(each.position)}`}
            />
          </li>
        ))}
      </ol>
    </section>
  )
}
