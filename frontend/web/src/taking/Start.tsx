import { Anchor, Button, Checkbox, Container, Text, TextInput, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { Refusal, type Schemas } from '../api/client'
import { Broken } from '../parts/States'
import { Part } from './Part'
import { Quiet } from './Quiet'
import { Rules } from './Rules'
import css from './Taking.module.css'
import { clockFace, duration, fullMoment, hourOf, serverNow, useLeft } from './time'
import { useStart } from './useStart'

type Found = Schemas['TakeView']
const MINUTE_MS = 60_000

/** What one is told before the time runs, and the button that lets it run. */
export function Start({ token, found, again }: { token: string; found: Found; again: () => void }) {
  const early = useLeft(found.opens_at ?? found.server_time, again)
  return (
    <Quiet name={found.assessment}>
      <Container size="sm" py="xl">
        <Text c="dimmed">{found.team} invites you to</Text>
        <Title order={1} mb="lg">
          {found.assessment}
        </Title>
        <Facts found={found} />
        <Rules told={found} days={found.retention_days} />
        {found.practice && (
          <Part title="Try the editor first">
            <Text>
              <Anchor href={`/challenges/${found.practice}`} target="_blank" rel="noopener">
                Open the practice challenge
              </Anchor>{' '}
              in another tab. Nothing of it counts or is recorded, and it takes none of your time.
            </Text>
          </Part>
        )}
        {early > 0 ? <Early found={found} left={early} /> : <Begin token={token} found={found} />}
      </Container>
    </Quiet>
  )
}

function Facts({ found }: { found: Found }) {
  const ends = [found.closes_at, found.expires_at].filter(each => each !== null)
  const last = ends.sort((one, two) => Date.parse(one) - Date.parse(two))[0]
  const extra = found.extra_minutes > 0 && ` ${duration(found.extra_minutes)} of it are your extra time.`
  return (
    <dl className={css.facts}>
      <dt>Time</dt>
      <dd>
        {duration(found.minutes + found.extra_minutes)}, in one go.{extra}
      </dd>
      {found.opens_at && (
        <>
          <dt>Opens</dt>
          <dd>{fullMoment(found.opens_at)}</dd>
        </>
      )}
      {last && (
        <>
          <dt>Start before</dt>
          <dd>{fullMoment(last)}</dd>
        </>
      )}
      {found.closes_at && (
        <>
          <dt>Ends for everybody</dt>
          <dd>
            {fullMoment(Date.parse(found.closes_at) + found.extra_minutes * MINUTE_MS)}, whenever you start.
          </dd>
        </>
      )}
      <dt>Attempts</dt>
      <dd>
        {found.attempts_left === 1
          ? 'You can take it once.'
          : `You can take it ${found.attempts_left} times.`}
      </dd>
      <dt>Verdicts</dt>
      <dd>
        {found.verdicts === 'at_once'
          ? 'You see at once how an answer was judged.'
          : 'Samples are judged at once. How your answers were judged is shown after the end.'}
      </dd>
    </dl>
  )
}

function Early({ found, left }: { found: Found; left: number }) {
  const days = Math.floor(left / 86_400)
  return (
    <section className={css.begin} aria-label="It opens later">
      <Text>It opens in</Text>
      <p className={css.countdown} role="timer">
        {days > 0 && `${days} ${days === 1 ? 'day' : 'days'} `}
        {clockFace(left % 86_400)}
      </p>
      <Text mt="sm" c="dimmed">
        {found.opens_at && fullMoment(found.opens_at)}. This page goes on by itself.
      </Text>
    </section>
  )
}

function Begin({ token, found }: { token: string; found: Found }) {
  const [name, setName] = useState(found.name)
  const [agreed, setAgreed] = useState(false)
  const start = useStart(token)
  const refused = start.error instanceof Refusal ? start.error.of('name') : undefined
  return (
    <form
      className={css.begin}
      onSubmit={event => {
        event.preventDefault()
        start.mutate(name.trim())
      }}
    >
      <Title order={2} fz="1.3rem" mb="md">
        Begin
      </Title>
      <TextInput
        label="Your name"
        description={`${found.team} sees it.`}
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
            Your word
          </Text>
          <blockquote className={css.statement}>{found.honour}</blockquote>
          <Checkbox
            label="I agree to this statement."
            checked={agreed}
            onChange={event => setAgreed(event.currentTarget.checked)}
          />
        </>
      )}
      {start.error && !refused && <Broken error={start.error} />}
      <Button
        type="submit"
        size="md"
        mt="lg"
        loading={start.isPending}
        disabled={!name.trim() || (Boolean(found.honour) && !agreed)}
      >
        Start: the clock begins
      </Button>
      <Until found={found} />
    </form>
  )
}

/** When it would be over if one began now. */
function Until({ found }: { found: Found }) {
  const end = () => {
    const own = serverNow() + found.minutes * MINUTE_MS
    const closes = found.closes_at ? Date.parse(found.closes_at) : own
    return Math.min(own, closes) + found.extra_minutes * MINUTE_MS
  }
  const [until, setUntil] = useState(end)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once a minute is enough
  useEffect(() => {
    const timer = setInterval(() => setUntil(end()), MINUTE_MS / 4)
    return () => clearInterval(timer)
  }, [])
  return (
    <Text size="sm" c="dimmed" mt="sm">
      If you start now, you have until {hourOf(until)}. The clock goes on when you close the page or lose the
      connection; what you write is kept, and the link brings you back.
    </Text>
  )
}
