/**
 * Items that a plan can use: challenges and quizzes of the catalogue, challenges reserved for assessments, and the team's own
 * challenges.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import { challenges, topics } from '@/api/queries'
import { type TeamChallengeCard, teamChallenges } from '@/features/authoring'
import type { Level } from '@/shared/ui/Difficulty'
import { challengeVariants } from '../requests'
import { type Choice, nameOf } from './form'

/** Estimated minutes for one quiz question. */
const QUESTION_MINUTES = 2
const POINTS: Record<Level, number> = { easy: 10, medium: 20, hard: 30 }
const QUIZ_POINTS = 10
/** The section that lists the team's own challenges. */
export const TEAM_SECTION = 'Your team'
const NONE: TeamChallengeCard[] = []

export interface AvailableItem {
  choice: Choice
  /** The challenges that follow it, in order. */
  followUps: string[]
  title: string
  about: string
  section: string
  difficulty: Level
  minutes: number
  questions: number
  /** The default points. */
  points: number
  /** The variants of a challenge; a plan can draw one for each candidate. */
  variants: Schemas['VariantCard'][]
  /** The page where the team reads it. */
  address: string
  /** Whether it is hidden from public lists. */
  reserved: boolean
  /** Whether it is a challenge of the team that the gate has not passed. */
  unproven?: boolean
  /** The ID of the team's own challenge; absent for items of the catalogue. */
  ownId?: string
}

export type AvailableItems = Map<string, AvailableItem>

/** Challenges reserved for assessments. Reviewers, who edit no plans, get none. */
export const reservedChallenges = (teamId: string) =>
  queryOptions({
    queryKey: ['team', teamId, 'reserved'],
    queryFn: async () => {
      const params = { path: { team_id: teamId } }
      try {
        return (await unwrap(api.GET('/api/teams/{team_id}/reserved-challenges', { params }))).items
      } catch (error) {
        if (error instanceof ApiError && error.status === 403) return []
        throw error
      }
    },
  })

const choiceOf = (kind: Choice['kind'], name: string, variants = false): Choice => ({
  kind,
  name,
  variants,
  follow_ups: [],
  question: null,
})

/** Available items by `kind:name`; null while loading. */
export function useAvailableItems(teamId: string): AvailableItems | null {
  const all = useQuery(challenges).data
  const pages = useQuery(topics).data
  const { data: own = NONE, isPending } = useQuery(teamChallenges(teamId))
  const pool = useQuery(reservedChallenges(teamId)).data
  const varied = useQuery(challengeVariants(teamId)).data
  return useMemo(() => {
    if (!all || !pages || !pool || !varied || isPending) return null
    const reserved = new Set(pool.map(each => each.slug))
    const variants = new Map(varied.map(each => [each.slug, each.variants]))
    const things: AvailableItem[] = [...all, ...pool].map(each => ({
      choice: choiceOf('challenge', each.slug, variants.has(each.slug)),
      followUps: each.follow_ups.map(({ id }) => id),
      title: each.title,
      about: each.summary,
      section: each.section,
      difficulty: each.difficulty,
      minutes: each.minutes,
      questions: 0,
      points: POINTS[each.difficulty],
      variants: variants.get(each.slug) ?? [],
      address: reserved.has(each.slug)
        ? `/teams/${teamId}/reserved/${each.slug}`
        : `/challenges/${each.slug}`,
      reserved: reserved.has(each.slug),
    }))
    for (const { id, name, state, published } of own)
      if (state === 'published' && published)
        things.push({
          choice: choiceOf('challenge', name),
          followUps: [],
          title: published.title,
          about: published.summary,
          section: TEAM_SECTION,
          difficulty: published.difficulty,
          minutes: published.minutes,
          questions: 0,
          points: POINTS[published.difficulty],
          variants: [],
          address: `/teams/${teamId}/challenges/${id}`,
          reserved: true,
          ownId: id,
          unproven: !published.proven,
        })
    for (const each of pages.filter(page => page.questions > 0))
      things.push({
        choice: choiceOf('quiz', each.id),
        followUps: [],
        title: each.title,
        about: each.purpose,
        section: each.section,
        difficulty: each.difficulty,
        minutes: each.questions * QUESTION_MINUTES,
        questions: each.questions,
        points: QUIZ_POINTS,
        variants: [],
        address: `/topics/${each.id}/quiz`,
        reserved: false,
      })
    return new Map(things.map(each => [nameOf(each.choice), each]))
  }, [all, pages, own, pool, varied, isPending, teamId])
}

/** The first error among the item queries with a way to retry them; null if none failed. */
export function useMissingItems(teamId: string): { error: Error; again: () => void } | null {
  const queries = [
    useQuery(challenges),
    useQuery(topics),
    useQuery(teamChallenges(teamId)),
    useQuery(reservedChallenges(teamId)),
    useQuery(challengeVariants(teamId)),
  ]
  const failed = queries.filter(query => query.isError && query.data === undefined)
  const error = failed[0]?.error
  if (!error) return null
  return { error, again: () => failed.forEach(query => void query.refetch()) }
}
