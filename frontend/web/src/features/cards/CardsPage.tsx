import { Anchor, Button, Container, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { useGuest, useMe } from '@/api/queries'
import { useShortcuts } from '@/shared/hooks/useShortcuts'
import { useTitle } from '@/shared/hooks/useTitle'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import { Card } from './Card'
import { CardOptions } from './CardOptions'
import css from './Cards.module.css'
import { DeckPicker, deckOf } from './DeckPicker'
import { Forecast } from './Forecast'
import { describeNext, describeUnlearnt } from './nextCards'
import { cardSession, type Deck, review, suspend, undo, useCards } from './requests'

type Today = Schemas['RevisionView']

export function Component() {
  useTitle('Cards')
  const [params, setParams] = useSearchParams()
  const deck = deckOf(params)
  const known = useMe() !== null
  const choose = ({ deck: kind, name }: Deck) =>
    setParams(kind === 'all' ? {} : { deck: kind, ...(name && { name }) }, { replace: true })
  return (
    <Container size="sm" py="xl">
      <div className={css.top}>
        <Title order={1}>Cards</Title>
        <DeckPicker value={deck} onChange={choose} />
      </div>
      {known ? <Session key={`${deck.deck} ${deck.name}`} deck={deck} /> : <Begin />}
    </Container>
  )
}

function Begin() {
  const guest = useGuest()
  return (
    <div className={css.done}>
      <Title order={2} fz="1.4rem">
        A few minutes a day
      </Title>
      <Text my="md" maw="30rem" mx="auto">
        Every topic has cards. Rate how well you knew the answer, and each card comes back just before you
        would forget it.
      </Text>
      <Button onClick={() => guest()}>Start</Button>
    </div>
  )
}

function Session({ deck }: { deck: Deck }) {
  const [ahead, setAhead] = useState(false)
  const query = useQuery(cardSession(deck, ahead, true))
  return (
    <Loaded query={query}>
      {today => (
        <>
          <Counts today={today} />
          <Asked today={today} onAhead={() => setAhead(true)} />
          <div style={{ marginTop: '2.5rem' }}>
            <Forecast counts={today.forecast} />
          </div>
        </>
      )}
    </Loaded>
  )
}

function Counts({ today }: { today: Today }) {
  return (
    <p className={css.counts} aria-live="polite">
      <span>
        <b>{today.due}</b> due
      </span>
      <span>
        <b>{today.new}</b> new
      </span>
      <span>
        <b>{today.done}</b> done today
      </span>
      <span>
        {today.learnt} of {today.learnt + today.unlearnt} started
      </span>
    </p>
  )
}

function Asked({ today, onAhead }: { today: Today; onAhead: () => void }) {
  const grade = useCards(review)
  const back = useCards(undo)
  const aside = useCards(suspend)
  const [opened, options] = useDisclosure(false)
  const card = today.cards[0]
  const takeBack = () => today.undo && !back.isPending && back.mutate(today.undo)
  useShortcuts([['u', takeBack]])
  const error = grade.error ?? back.error ?? aside.error
  return (
    <>
      {error && <ErrorMessage error={error} />}
      {card ? (
        <Card
          key={`${card.id} ${card.version}`}
          card={card}
          busy={grade.isPending}
          onGrade={rating => grade.mutate({ card: card.id, rating, version: card.version })}
        />
      ) : (
        <Done today={today} onAhead={onAhead} />
      )}
      <div className={css.foot}>
        {today.undo && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={takeBack}>
            Undo
          </Button>
        )}
        {card && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            onClick={() => aside.mutate({ card: card.id, suspended: true })}
          >
            Suspend
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={options.open}>
          Options
        </Button>
      </div>
      <CardOptions opened={opened} onClose={options.close} newPerDay={today.new_per_day} />
    </>
  )
}

function Done({ today, onAhead }: { today: Today; onAhead: () => void }) {
  const empty = today.learnt + today.unlearnt === 0
  return (
    <div className={css.done} role="status">
      <Title order={2} fz="1.4rem">
        {empty ? 'No cards here yet' : 'Done for today'}
      </Title>
      <Text my="md">
        {empty ? (
          <>
            Add cards from a{' '}
            <Anchor component={Link} to="/catalogue?view=topics">
              topic page
            </Anchor>
            , or take its quiz.
          </>
        ) : (
          `${describeNext(today)} ${describeUnlearnt(today)}`
        )}
      </Text>
      {today.waiting > 0 && (
        <Button variant="default" onClick={onAhead}>
          Study {today.waiting} {today.waiting === 1 ? 'card that is' : 'cards that are'} due within minutes
        </Button>
      )}
    </div>
  )
}
