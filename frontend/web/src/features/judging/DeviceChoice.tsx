import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '@/api/client'

export type Device = Schemas['SubmissionView']['device']
const NAMES: Record<Device, string> = { cpu: 'CPU', cuda: 'GPU' }

/** The device that judges the answer: a choice if the challenge allows several, otherwise the only one. */
export function useDevice(challenge: Schemas['ChallengeView']): { device: Device; choice: ReactNode } {
  const offered = challenge.devices as Device[]
  const [device, setDevice] = useState<Device>(offered.includes('cpu') ? 'cpu' : 'cuda')
  const data = offered.map(value => ({ value, label: NAMES[value] }))
  const choice = offered.length > 1 && (
    <SegmentedControl
      size="xs"
      aria-label="Device"
      data={data}
      value={device}
      onChange={value => setDevice(value as Device)}
    />
  )
  return { device, choice }
}
