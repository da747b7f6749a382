import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Schemas } from '../api/client'

export type Device = Schemas['SubmissionView']['device']
const NAMES: Record<Device, string> = { cpu: 'CPU', cuda: 'GPU' }

/** What an answer is judged on: a choice where its challenge takes several, else the one that it takes. */
export function useDevice(challenge: Schemas['ChallengeView']): { device: Device; choice: ReactNode } {
  const offered = challenge.devices as Device[]
  const [device, setDevice] = useState<Device>(offered.includes('cpu') ? 'cpu' : 'cuda')
  const data = offered.map(value => ({ value, label: NAMES[value] }))
  const choice = offered.length > 1 && (
    <SegmentedControl
      size="xs"
      aria-label="What it is judged on"
      data={data}
      value={device}
      onChange={value => setDevice(value as Device)}
    />
  )
  return { device, choice }
}
