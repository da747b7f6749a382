import { NumberInput, SegmentedControl, Title } from '@mantine/core'
import { useState } from 'react'
import { ByLink } from './ByLink'
import { BySheet } from './BySheet'
import css from './Invitations.module.css'
import { MadeLinks } from './MadeLinks'
import { People } from './People'
import type { Made } from './queries'

const WAYS = [
  { value: 'people', label: 'People' },
  { value: 'sheet', label: 'CSV file' },
  { value: 'link', label: 'A link' },
] as const

type Way = (typeof WAYS)[number]['value']

/** What each way of inviting is given. */
export interface WayProps {
  days: number
  /** The field for how long people may start; it stands in the form's foot. */
  until: React.ReactNode
  done: (made: Made[]) => void
}

/** Inviting people, in one of three ways; their links are shown once, until others are made. */
export function Invite() {
  const [way, setWay] = useState<Way>('people')
  const [days, setDays] = useState(14)
  const [made, setMade] = useState<Made[]>([])
  const until = (
    <NumberInput
      label="Days in which they may start"
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
        {way === 'people' && <People {...given} />}
        {way === 'sheet' && <BySheet {...given} />}
        {way === 'link' && <ByLink {...given} />}
        {made.length > 0 && <MadeLinks key={made[0]?.id} made={made} />}
      </div>
    </section>
  )
}
