/** Labels of reports, shared by reporters and moderators. */
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'

type Item = Schemas['ReportView']

export interface About {
  about: Schemas['NewReport']['about']
  /** A slug, a topic's ID, `topic/question`, or `challenge/ID` of a comment or a shared answer. */
  target: string
}

export const KINDS: Record<Item['kind'], string> = {
  verdict: 'Wrong verdict',
  statement: 'Unclear statement',
  typo: 'Typo',
  fact: 'Wrong fact',
  spam: 'Spam',
  offensive: 'Offensive',
  spoiler: 'Spoiler without a mark',
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
  const [name = '', part = ''] = item.target.split('/')
  const [to, text] = {
    challenge: [`/challenges/${name}`, name],
    comment: [`/challenges/${name}?tab=discussion#comment-${part}`, `a comment on ${name}`],
    answer: [`/shared/${part}`, `an answer to ${name}`],
    topic: [`/topics/${name}`, name],
    question: [`/topics/${name}`, item.target],
  }[item.about || 'topic'] as [string, string]
  return (
    <>
      <Anchor component={Link} to={to} c="inherit">
        {text}
      </Anchor>
      {' · '}
    </>
  )
}
