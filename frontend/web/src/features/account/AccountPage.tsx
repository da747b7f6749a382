import { Title } from '@mantine/core'
import type { Schemas } from '@/api/client'
import { ListingForm } from '@/features/profiles'
import { formatDate } from '@/shared/format/dates'
import { Row, Section } from '@/shared/forms/Section'
import section from '@/shared/forms/Section.module.css'
import { useTitle } from '@/shared/hooks/useTitle'
import { MembersOnly } from '@/shared/pages/MembersOnly'
import css from './AccountPage.module.css'
import { DataExport } from './DataExport'
import { EmailAddress } from './EmailAddress'
import { LinkedProviders } from './LinkedProviders'
import { Password } from './Password'
import { Sessions } from './Sessions'
import { Tokens } from './Tokens'

const SECTIONS = [
  ['profile', 'Profile'],
  ['sign-in', 'Sign-in'],
  ['sessions', 'Sessions'],
  ['tokens', 'API tokens'],
  ['data', 'Your data'],
] as const

export function Component() {
  useTitle('Account')
  return <MembersOnly title="Account">{account => <Sections account={account} />}</MembersOnly>
}

function Sections({ account }: { account: Schemas['AccountView'] }) {
  return (
    <div className={css.page}>
      <nav className={css.nav} aria-label="On this page">
        {SECTIONS.map(([id, name]) => (
          <a key={id} href={`#${id}`} className={css.link}>
            {name}
          </a>
        ))}
      </nav>
      <div className={css.parts}>
        <Title order={1}>Account</Title>
        <Section id="profile" title="Profile">
          <Row label={account.name} hint={`Member since ${formatDate(account.created_at)}.`} />
          <div className={section.row}>
            <ListingForm id={account.id} />
          </div>
        </Section>
        <Section id="sign-in" title="Sign-in">
          <EmailAddress account={account} />
          <Password account={account} />
          <LinkedProviders />
        </Section>
        <Section id="sessions" title="Sessions">
          <Sessions />
        </Section>
        <Section id="tokens" title="API tokens">
          <Tokens />
        </Section>
        <Section id="data" title="Your data">
          <DataExport account={account} />
        </Section>
      </div>
    </div>
  )
}
