import { NumberInput, SegmentedControl, Title } from '@mantine/core'
import { useState } from 'react'
import { CreatedLinks } from './CreatedLinks'
import css from './Invitations.module.css'
import { InviteByCsv } from './InviteByCsv'
import { InviteByEmail } from './InviteByEmail'
import { InviteByLink } from './InviteByLink'
import type { Made } from './model/requests'

const WAYS = [
  { value: 'people', label: 'Email addresses' },
  { value: 'sheet', label: 'CSV file' },
  { value: 'link', label: 'Link' },
] as const

type Way = (typeof WAYS)[number]['value']

/** Invites people in one of three ways. Their links are shown once, until the next ones are created. */
export function Invite() {
  const [way, setWay] = useState<Way>('people')
  const [days, setDays] = useState(14)
  const [made, setMade] = useState<Made[]>([])
  const until = (
    <NumberInput
      label="Days until the invitation expires"
      value={days}
      onChange={value => setDays(Number(value))}
      min={1}
      max={90}
      clampBehavior="strict"
      allowDecimal={false}
      required
      w={200}
    />
  )
  const given = { days, until, done: setMade }
  return (
    <section aria-labelledby="invite">
      <Title order={2} id="invite" fz="1.3rem" mb="sm">
        Invite
      </Title>
      <div className={css.panel}>
        <SegmentedControl
          aria-label="How to invite"
          data={[...WAYS]}
          value={way}
          onChange={value => setWay(value as Way)}
          mb="lg"
        />
        {/* All forms stay mounted, so that nothing typed is lost when the other ways are looked at. */}
        <div hidden={way !== 'people'}>
          <InviteByEmail {...given} />
        </div>
        <div hidden={way !== 'sheet'}>
          <InviteByCsv {...given} />
        </div>
        <div hidden={way !== 'link'}>
          <InviteByLink {...given} />
        </div>
        {made.length > 0 && <CreatedLinks key={made[0]?.id} made={made} />}
      </div>
    </section>
  )
}
