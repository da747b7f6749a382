/** What a plan can name: the challenges and quizzes of the catalogue. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { challenges, topics } from '../api/queries'
import type { Level } from '../parts/Difficulty'
import { type Choice, nameOf } from './form'

/** About as long as a question takes. */
const QUESTION_MINUTES = 2
const POINTS: Record<Level, number> = { easy: 10, medium: 20, hard: 30 }
const QUIZ_POINTS = 10

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
}

export type Things = Map<string, Thing>

/** By `kind:name`; null while it comes. */
export function useThings(): Things | null {
  const all = useQuery(challenges).data
  const pages = useQuery(topics).data
  return useMemo(() => {
    if (!all || !pages) return null
    const things: Thing[] = all.map(each => ({
      choice: { kind: 'challenge', name: each.slug },
      title: each.title,
      about: each.summary,
      section: each.section,
      difficulty: each.difficulty,
      minutes: each.minutes,
      questions: 0,
      points: POINTS[each.difficulty],
    }))
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
      })
    return new Map(things.map(each => [nameOf(each.choice), each]))
  }, [all, pages])
}

/** Where somebody reads it. */
export const addressOf = ({ kind, name }: Choice): string =>
  kind === 'challenge' ? `/challenges/${name}` : `/topics/${name}/quiz`
