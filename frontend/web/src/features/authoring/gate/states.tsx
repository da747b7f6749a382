import { Badge } from '@mantine/core'
import type { TeamChallengeCard } from '../requests'

const STATES = {
  draft: ['Draft', 'gray', 'var(--g-soft)'],
  published: ['Published', 'teal', 'var(--g-good)'],
  archived: ['Archived', 'gray', 'var(--g-soft)'],
} as const

const GATES = {
  unchecked: ['Not checked yet', 'gray'],
  waiting: ['Waiting for the gate', 'marigold'],
  running: ['Running', 'marigold'],
  passed: ['Passed', 'teal'],
  failed: ['Failed', 'red'],
} as const

export function State({ of }: { of: TeamChallengeCard }) {
  const [words, color, ink] = STATES[of.state]
  const unproven = of.state === 'published' && of.published?.proven === false
  return (
    <Badge color={color} c={ink} variant="light" tt="none">
      {words}
      {unproven && ', unproven'}
    </Badge>
  )
}

export function GateState({ of }: { of: TeamChallengeCard }) {
  const [words, color] = GATES[of.gate]
  return (
    <Badge color={color} variant="dot" tt="none" fw={500}>
      {words}
    </Badge>
  )
}

export const percent = (share: number) => `${Math.round(share * 100)}%`
