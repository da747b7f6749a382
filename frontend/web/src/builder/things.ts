/** What a plan can name: the challenges and quizzes of the catalogue, and what the team has published of its own. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { challenges, topics } from '../api/queries'
import { type Card, ownChallenges } from '../own/data'
import type { Level } from '../parts/Difficulty'
import { type Choice, nameOf } from './form'

/** About as long as a question takes. */
const QUESTION_MINUTES = 2
const POINTS: Record<Level, number> = { easy: 10, medium: 20, hard: 30 }
const QUIZ_POINTS = 10
/** Where the team's own challenges stand among the sections. */
export const OWN = 'your own'
const NONE: Card[] = []

export interface Thing {
  choice: Choice
  title: string
  about: string
  section: string
  difficulty: Level
  minutes: number
  questions: number
  /** What it is worth until somebody says otherwise. */
  points: number
  /** Where the team reads it. */
  address: string
}

export type Things = Map<string, Thing>

/** By `kind:name`; null while it comes. */
export function useThings(teamId: string): Things | null {
  const all = useQuery(challenges).data
  const pages = useQuery(topics).data
  const { data: own = NONE, isPending } = useQuery(ownChallenges(teamId))
  return useMemo(() => {
    if (!all || !pages || isPending) return null
    const things: Thing[] = all.map(each => ({
      choice: { kind: 'challenge', name: each.slug },
      title: each.title,
      about: each.summary,
      section: each.section,
      difficulty: each.difficulty,
      minutes: each.minutes,
      questions: 0,
      points: POINTS[each.difficulty],
      address: `/challenges/${each.slug}`,
    }))
    for (const { id, name, state, published } of own)
      if (state === 'published' && published)
        things.push({
          choice: { kind: 'challenge', name },
          title: published.title,
          about: published.summary,
          section: OWN,
          difficulty: published.difficulty,
          minutes: published.minutes,
          questions: 0,
          points: POINTS[published.difficulty],
          address: `/teams/${teamId}/challenges/${id}`,
        })
    for (const each of pages.filter(page => page.questions > 0))
      things.push({
        choice: { kind: 'quiz', name: each.id },
        title: each.title,
        about: each.purpose,
        section: each.section,
        difficulty: each.difficulty,
        minutes: each.questions * QUESTION_MINUTES,
        questions: each.questions,
        points: QUIZ_POINTS,
        address: `/topics/${each.id}/quiz`,
      })
    return new Map(things.map(each => [nameOf(each.choice), each]))
  }, [all, pages, own, isPending, teamId])
}

/** Why something that a plan could name did not come, and how to ask for it again; null if nothing failed. */
export function useMissing(teamId: string): { error: Error; again: () => void } | null {
  const asked = [useQuery(challenges), useQuery(topics), useQuery(ownChallenges(teamId))]
  const failed = asked.filter(query => query.isError && query.data === undefined)
  const error = failed[0]?.error
  if (!error) return null
  return { error, again: () => failed.forEach(query => void query.refetch()) }
}
