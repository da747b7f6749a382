/** Reports in words, the same for who sent them and for who answers. */
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Schemas } from '../api/client'

type Item = Schemas['ReportView']

export const KINDS: Record<Item['kind'], string> = {
  verdict: 'Wrong verdict',
  statement: 'Unclear statement',
  typo: 'Typo',
  fact: 'Wrong fact',
  other: 'Something else',
  suggestion: 'Suggestion',
}

export const STATES: Record<Item['state'], string> = {
  open: 'open',
  accepted: 'accepted',
  declined: 'declined',
  fixed: 'fixed',
}

/** A link to what a report is about. */
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
