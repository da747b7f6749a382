import { Anchor, Button, Checkbox, Container, Text, TextInput, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { ApiError, type Schemas } from '@/api/client'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { CandidateFrame } from '../CandidateFrame'
import { formatClock, formatDateTime, formatDuration, formatTime, serverNow, useSecondsLeft } from '../clock'
import css from '../Participation.module.css'
import { TestDriveNotice } from '../TestDriveNotice'
import { TextSection } from '../TextSection'
import { Outline } from './Outline'
import { Rules } from './Rules'
import { useStart } from './useStart'

type Found = Schemas['TakeView']
const MINUTE_MS = 60_000
const VERDICTS = {
  at_once: 'You see the verdict of each answer immediately.',
  after: 'You see the results of the samples immediately, and the verdicts of your answers after you finish.',
  never:
    'You see the results of the samples immediately. The verdicts and the score of your answers are shown only to the team.',
}

/** What the candidate reads before the start, and the start button. */
export function Start({ token, found, again }: { token: string; found: Found; again: () => void }) {
  const early = useSecondsLeft(found.opens_at ?? found.server_time, again)
  return (
    <CandidateFrame name={found.assessment}>
      <Container size="sm" py="xl">
        {found.is_test && <TestDriveNotice />}
        {found.logo && <img className={css.teamLogo} src={found.logo} alt={`Logo of ${found.team}`} />}
        <Text c="dimmed">{found.team} invites you to</Text>
        <Title order={1} mb="lg">
          {found.assessment}
        </Title>
        <Facts found={found} />
        <Outline sections={found.sections} />
        <Rules texts={found} days={found.retention_days} />
        {found.practice && (
          <TextSection title="Try the editor first">
            <Text>
              <Anchor href={`/challenges/${found.practice}`} target="_blank" rel="noopener">
                Open the practice challenge
              </Anchor>{' '}
              in another tab. It does not count, is not recorded, and takes none of your time.
            </Text>
          </TextSection>
        )}
        {early > 0 ? <Early found={found} left={early} /> : <Begin token={token} found={found} />}
      </Container>
    </CandidateFrame>
  )
}

function Facts({ found }: { found: Found }) {
  const ends = [found.closes_at, found.expires_at].filter(each => each !== null)
  const last = ends.sort((one, two) => Date.parse(one) - Date.parse(two))[0]
  const extra =
    found.extra_minutes > 0 && `, including ${formatDuration(found.extra_minutes)} of extra time for you`
  return (
    <dl className={css.facts}>
      <dt>Time</dt>
      <dd>
        {formatDuration(found.minutes + found.extra_minutes)}
        {extra}. The clock does not stop.
      </dd>
      {found.opens_at && (
        <>
          <dt>Opens</dt>
          <dd>{formatDateTime(found.opens_at)}</dd>
        </>
      )}
      {last && (
        <>
          <dt>Start by</dt>
          <dd>{formatDateTime(last)}</dd>
        </>
      )}
      {found.closes_at && (
        <>
          <dt>Closes for everyone</dt>
          <dd>
            {formatDateTime(Date.parse(found.closes_at) + found.extra_minutes * MINUTE_MS)}, no matter when
            you start.
          </dd>
        </>
      )}
      <dt>Attempts</dt>
      <dd>{attempts(found)}</dd>
      <dt>Verdicts</dt>
      <dd>{VERDICTS[found.verdicts]}</dd>
      <dt>Lost time</dt>
      <dd>
        If judging is slow while your clock is running, you and everyone else who is taking this assessment
        get the lost time back. Judging counts as slow when an answer has waited in the queue for more than
        ten seconds. Time spent waiting for your own earlier answers does not count.
      </dd>
    </dl>
  )
}

function attempts({ attempts, attempts_left: left }: Found): string {
  const more = left < attempts ? ' more' : ''
  return left === 1 ? `You can take it once${more}.` : `You can take it ${left}${more} times.`
}

function Early({ found, left }: { found: Found; left: number }) {
  const days = Math.floor(left / 86_400)
  return (
    <section className={css.begin} aria-label="Opens later">
      <Text>It opens in</Text>
      <p className={css.countdown} role="timer">
        {days > 0 && `${days} ${days === 1 ? 'day' : 'days'} `}
        {formatClock(left % 86_400)}
      </p>
      <Text mt="sm" c="dimmed">
        {found.opens_at && formatDateTime(found.opens_at)}. This page continues automatically.
      </Text>
    </section>
  )
}

function Begin({ token, found }: { token: string; found: Found }) {
  const [name, setName] = useState(found.name)
  const [agreed, setAgreed] = useState(false)
  const start = useStart(token)
  const refused = start.error instanceof ApiError ? start.error.messageFor('name') : undefined
  return (
    <form
      className={css.begin}
      onSubmit={event => {
        event.preventDefault()
        start.mutate(name.trim())
      }}
    >
      <Title order={2} fz="1.3rem" mb="md">
        Start
      </Title>
      <TextInput
        label="Your name"
        description={`Shown to ${found.team}.`}
        value={name}
        onChange={event => setName(event.currentTarget.value)}
        error={refused}
        autoComplete="name"
        maxLength={80}
        required
        maw={420}
      />
      {found.honour && (
        <>
          <Text mt="lg" fw={500}>
            Honour statement
          </Text>
          <blockquote className={css.statement}>{found.honour}</blockquote>
          <Checkbox
            label="I agree to this statement."
            checked={agreed}
            onChange={event => setAgreed(event.currentTarget.checked)}
          />
        </>
      )}
      {start.error && !refused && <ErrorMessage error={start.error} />}
      <Button
        type="submit"
        size="md"
        mt="lg"
        loading={start.isPending}
        disabled={!name.trim() || (Boolean(found.honour) && !agreed)}
      >
        {' '}
        Start assessment{' '}
      </Button>
      <Until found={found} />
    </form>
  )
}

/** When the time would end if the candidate started now. */
function Until({ found }: { found: Found }) {
  const end = () => {
    const own = serverNow() + found.minutes * MINUTE_MS
    const closes = found.closes_at ? Date.parse(found.closes_at) : own
    return Math.min(own, closes) + found.extra_minutes * MINUTE_MS
  }
  const [until, setUntil] = useState(end)
  // biome-ignore lint/correctness/useExhaustiveDependencies: one update a minute is enough
  useEffect(() => {
    const timer = setInterval(() => setUntil(end()), MINUTE_MS / 4)
    return () => clearInterval(timer)
  }, [])
  return (
    <Text size="sm" c="dimmed" mt="sm">
      If you start now, you have until {formatTime(until)}. The clock keeps running when you close the page or
      lose the connection. Your work is saved, and you can come back with the same link.
    </Text>
  )
}
