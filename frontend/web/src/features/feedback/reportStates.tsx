/** Labels of reports, shared by reporters and moderators. */
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'

type Item = Schemas['ReportView']

export interface About {
  about: Schemas['NewReport']['about']
  /** A slug, a topic's id, or `topic/question`. */
  target: string
}

export const KINDS: Record<Item['kind'], string> = {
  verdict: 'Wrong verdict',
  statement: 'Unclear statement',
  typo: 'Typo',
  fact: 'Wrong fact',
  other: 'Something else',
  suggestion: 'Suggestion',
}

export const STATES: Record<Item['state'], string> = {
  open: 'Open',
  accepted: 'Accepted',
  declined: 'Declined',
  fixed: 'Fixed',
}

/** A link to the subject of a report. */
export function Place({ item }: { item: Item }) {
  if (!item.target) return null
  const [name = ''] = item.target.split('/')
  const to = item.about === 'challenge' ? `/challenges/${name}` : `/topics/${name}`
  return (
    <>
      <Anchor component={Link} to={to} c="inherit">
        {item.target}
      </Anchor>
      {' · '}
    </>
  )
}
