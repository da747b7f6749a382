import { Container, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Address } from '../account/Address'
import { Data } from '../account/Data'
import { Linked } from '../account/Linked'
import { Password } from '../account/Password'
import { Row, Section } from '../account/Section'
import { Sessions } from '../account/Sessions'
import { Tokens } from '../account/Tokens'
import { day } from '../account/when'
import type { Schemas } from '../api/client'
import { me } from '../api/queries'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { ListingForm } from '../people/ListingForm'
import css from './Account.module.css'

const SECTIONS = [
  ['profile', 'Profile'],
  ['sign-in', 'Signing in'],
  ['sessions', 'Sessions'],
  ['tokens', 'API tokens'],
  ['data', 'Your data'],
] as const

export function Component() {
  useTitle('Account')
  const query = useQuery(me)
  return (
    <Container size="md" py="xl">
      <Loaded page query={query}>
        {account =>
          account && account.role !== 'guest' ? (
            <Sections account={account} />
          ) : (
            <>
              <Title order={1}>Account</Title>
              <Text mt="md">
                <Link to="/sign-in?then=/account">Sign in</Link> first.
              </Text>
            </>
          )
        }
      </Loaded>
    </Container>
  )
}

function Sections({ account }: { account: Schemas['AccountView'] }) {
  return (
    <div className={css.page}>
      <nav className={css.nav} aria-label="Parts of this page">
        {SECTIONS.map(([id, name]) => (
          <a key={id} href={`#${id}`} className={css.link}>
            {name}
          </a>
        ))}
      </nav>
      <div className={css.parts}>
        <Title order={1}>Account</Title>
        <Section id="profile" title="Profile">
          <Row label={account.name} hint={`Here since ${day(account.created_at)}.`} />
          <ListingForm id={account.id} />
        </Section>
        <Section id="sign-in" title="Signing in">
          <Address account={account} />
          <Password account={account} />
          <Linked />
        </Section>
        <Section id="sessions" title="Sessions">
          <Sessions />
        </Section>
        <Section id="tokens" title="API tokens">
          <Tokens />
        </Section>
        <Section id="data" title="Your data">
          <Data account={account} />
        </Section>
      </div>
    </div>
  )
}
