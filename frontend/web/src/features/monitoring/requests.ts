/** Queries and mutations for monitoring and reviewing candidates. All keys begin with the assessment's key. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import type { Batch } from '@/features/playback'

export type Row = Schemas['WatchedRow']
export type Participation = Schemas['WatchedParticipation']
export type Item = Schemas['WatchedItem']
export type Review = Schemas['TeamReview']
export type Signal = Schemas['SignalView']
export type ReportLink = Schemas['ReportLinkView']
export type Message = Schemas['MessageView']
export type Only = 'running' | 'finished'

export interface Place {
  teamId: string
  assessmentId: string
}

export interface Person extends Place {
  id: string
}

const LIVE_MS = 4000
const HUNDRED = 100
const BATCHES = 50

const pathOf = ({ teamId, assessmentId }: Place) => ({ team_id: teamId, assessment_id: assessmentId })
const pathOfPerson = (of: Person) => ({ ...pathOf(of), participation_id: of.id })
const keyOf = ({ teamId, assessmentId }: Place) => ['team', teamId, 'assessment', assessmentId]
const keyOfPerson = (of: Person) => [...keyOf(of), 'person', of.id]
const LIST = '/api/teams/{team_id}/assessments/{assessment_id}/participations'
const ONE = `${LIST}/{participation_id}` as const

/** The live table. Refetches every few seconds. */
export const live = (at: Place, only?: Only) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(at), 'live', only ?? ''],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET(LIST, {
          params: { path: pathOf(at), query: { cursor: pageParam, limit: HUNDRED, ...(only && { only }) } },
        }),
      ),
    getNextPageParam: last => last.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: LIVE_MS,
  })

/** A candidate's report. Refetches while the participation runs or answers are being judged. */
export const person = (of: Person) =>
  queryOptions({
    queryKey: keyOfPerson(of),
    staleTime: 0,
    queryFn: () => unwrap(api.GET(ONE, { params: { path: pathOfPerson(of) } })),
    refetchInterval: query =>
      query.state.data && (query.state.data.left_s !== null || query.state.data.unfinished > 0)
        ? LIVE_MS
        : false,
  })

/** The items that are compared with the results of other teams. */
export const comparedItems = (of: Person) =>
  queryOptions({
    queryKey: [...keyOfPerson(of), 'comparison'],
    queryFn: async () =>
      (await unwrap(api.GET(`${ONE}/comparison`, { params: { path: pathOfPerson(of) } }))).items,
  })

/** All submissions, newest first. */
export const sent = (of: Person) =>
  queryOptions({
    queryKey: [...keyOfPerson(of), 'sent'],
    staleTime: 0,
    queryFn: () =>
      everything(cursor =>
        unwrap(
          api.GET(`${ONE}/submissions`, {
            params: { path: pathOfPerson(of), query: { cursor, limit: HUNDRED } },
          }),
        ),
      ),
  })

export const answer = (of: Person, submissionId: string) =>
  queryOptions({
    queryKey: [...keyOfPerson(of), 'answer', submissionId],
    queryFn: () =>
      unwrap(
        api.GET(`${ONE}/submissions/{submission_id}`, {
          params: { path: { ...pathOfPerson(of), submission_id: submissionId } },
        }),
      ),
  })

/** The edits of an item. `revision` is the last known batch; a new revision is a new query. */
export const edits = (of: Person, position: number, revision: number) =>
  queryOptions({
    queryKey: [...keyOfPerson(of), 'edits', position, revision],
    queryFn: async () =>
      (await everything(cursor =>
        unwrap(
          api.GET(`${ONE}/items/{position}/edits`, {
            params: { path: { ...pathOfPerson(of), position }, query: { cursor, limit: BATCHES } },
          }),
        ),
      )) as unknown as Batch[],
  })

export const signals = (of: Person) =>
  queryOptions({
    queryKey: [...keyOfPerson(of), 'signals'],
    staleTime: 0,
    queryFn: () =>
      everything(cursor =>
        unwrap(
          api.GET(`${ONE}/signals`, {
            params: { path: pathOfPerson(of), query: { cursor, limit: HUNDRED } },
          }),
        ),
      ),
  })

/** Everything about AI assistants. Refetches while the participation runs. */
export const transcript = (of: Person, running: boolean) =>
  queryOptions({
    queryKey: [...keyOfPerson(of), 'assistant'],
    staleTime: 0,
    queryFn: () => unwrap(api.GET(`${ONE}/assistant`, { params: { path: pathOfPerson(of) } })),
    refetchInterval: running ? LIVE_MS : false,
  })

/** The links with which people without an account read the report. */
export const reportLinks = (of: Person) =>
  queryOptions({
    queryKey: [...keyOfPerson(of), 'report-links'],
    staleTime: 0,
    queryFn: async () =>
      (await unwrap(api.GET(`${ONE}/report-links`, { params: { path: pathOfPerson(of) } }))).items,
  })

export const quiz = (of: Person, position: number) =>
  queryOptions({
    queryKey: [...keyOfPerson(of), 'quiz', position],
    staleTime: 0,
    queryFn: () =>
      unwrap(
        api.GET(`${ONE}/items/{position}/quiz`, { params: { path: { ...pathOfPerson(of), position } } }),
      ),
  })

/** A text that reviewers grade. `revision` is the last known draft; a new revision is a new query. */
export const writtenAnswer = (of: Person, position: number, revision: number) =>
  queryOptions({
    queryKey: [...keyOfPerson(of), 'text', position, revision],
    staleTime: 0,
    queryFn: () =>
      unwrap(
        api.GET(`${ONE}/items/{position}/text`, { params: { path: { ...pathOfPerson(of), position } } }),
      ),
  })

export const review = (of: Person) =>
  queryOptions({
    queryKey: [...keyOfPerson(of), 'review'],
    staleTime: 0,
    queryFn: () => unwrap(api.GET(`${ONE}/review`, { params: { path: pathOfPerson(of) } })),
  })

export const notes = (of: Person) =>
  queryOptions({
    queryKey: [...keyOfPerson(of), 'notes'],
    staleTime: 0,
    queryFn: () =>
      everything(cursor =>
        unwrap(
          api.GET(`${ONE}/notes`, { params: { path: pathOfPerson(of), query: { cursor, limit: HUNDRED } } }),
        ),
      ),
  })

export const rubric = (at: Place) =>
  queryOptions({
    queryKey: [...keyOf(at), 'rubric'],
    staleTime: 0,
    queryFn: () =>
      unwrap(
        api.GET('/api/teams/{team_id}/assessments/{assessment_id}/rubric', { params: { path: pathOf(at) } }),
      ),
  })

/** Reported outages, newest first; for owners. */
export const outages = (at: Place) =>
  queryOptions({
    queryKey: [...keyOf(at), 'outages'],
    staleTime: 0,
    queryFn: () =>
      unwrap(
        api.GET('/api/teams/{team_id}/assessments/{assessment_id}/outages', { params: { path: pathOf(at) } }),
      ),
  })

/** Loads all pages of a list whose length is bounded. */
async function everything<T>(
  page: (cursor: string) => Promise<{ items: T[]; next_cursor: string | null }>,
): Promise<T[]> {
  const items: T[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const came: { items: T[]; next_cursor: string | null } = await page(cursor)
    items.push(...came.items)
    cursor = came.next_cursor
  }
  return items
}

/** A mutation that changes an assessment's data, then invalidates all of it. */
export function useAssessmentMutation<Given, Result>(at: Place, act: (given: Given) => Promise<Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(at) }),
  })
}

/** A mutation of a part of a review; the service returns the whole updated review. */
function useReviewing<Given>(of: Person, act: (given: Given) => Promise<Review>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: now => client.setQueryData(review(of).queryKey, now),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(of) }),
  })
}

export const useScore = (of: Person) =>
  useReviewing(of, ({ criterion, level }: { criterion: string; level: number | null }) =>
    unwrap(
      api.PUT(`${ONE}/scores/{criterion_id}`, {
        params: { path: { ...pathOfPerson(of), criterion_id: criterion } },
        body: { level },
      }),
    ),
  )

export const usePoints = (of: Person, position: number) =>
  useReviewing(of, (body: Schemas['NewPoints']) =>
    unwrap(
      api.POST(`${ONE}/items/{position}/points`, {
        params: { path: { ...pathOfPerson(of), position } },
        body,
      }),
    ),
  )

export const useRecordDecision = (of: Person) =>
  useReviewing(of, (body: Schemas['NewDecision']) =>
    unwrap(api.POST(`${ONE}/decisions`, { params: { path: pathOfPerson(of) }, body })),
  )

export const useRubric = (at: Place) =>
  useAssessmentMutation(at, (body: Schemas['NewRubric']) =>
    unwrap(
      api.PUT('/api/teams/{team_id}/assessments/{assessment_id}/rubric', {
        params: { path: pathOf(at) },
        body,
      }),
    ),
  )

/** Creates a note, changes it, or (without a text) deletes it. */
export const useNote = (of: Person) =>
  useAssessmentMutation(of, async ({ id, text }: { id?: string; text?: string }) => {
    const path = pathOfPerson(of)
    if (!id) await unwrap(api.POST(`${ONE}/notes`, { params: { path }, body: { text: text ?? '' } }))
    else if (text === undefined)
      await unwrap(api.DELETE(`${ONE}/notes/{note_id}`, { params: { path: { ...path, note_id: id } } }))
    else
      await unwrap(
        api.PUT(`${ONE}/notes/{note_id}`, { params: { path: { ...path, note_id: id } }, body: { text } }),
      )
  })

export const useExtraTime = (of: Person) =>
  useAssessmentMutation(of, (minutes: number) =>
    unwrap(api.PUT(`${ONE}/extra-time`, { params: { path: pathOfPerson(of) }, body: { minutes } })),
  )

export const useRejudge = (of: Person, submissionId: string) =>
  useAssessmentMutation(of, () => {
    const path = { ...pathOfPerson(of), submission_id: submissionId }
    return unwrap(api.POST(`${ONE}/submissions/{submission_id}/rejudge`, { params: { path } }))
  })

export const useShareReport = (of: Person) =>
  useAssessmentMutation(of, (days: number) =>
    unwrap(api.POST(`${ONE}/report-links`, { params: { path: pathOfPerson(of) }, body: { days } })),
  )

export const useRevokeReportLink = (of: Person) =>
  useAssessmentMutation(of, (link: string) => {
    const path = { ...pathOfPerson(of), link_id: link }
    return unwrap(api.POST(`${ONE}/report-links/{link_id}/revoke`, { params: { path } }))
  })

export const useFinish = (of: Person) =>
  useAssessmentMutation(of, () => unwrap(api.POST(`${ONE}/finish`, { params: { path: pathOfPerson(of) } })))

export const useErase = (of: Person) =>
  useAssessmentMutation(of, () => unwrap(api.DELETE(ONE, { params: { path: pathOfPerson(of) } })))

export const useReportOutage = (at: Place) =>
  useAssessmentMutation(at, (body: Schemas['NewOutage']) =>
    unwrap(
      api.POST('/api/teams/{team_id}/assessments/{assessment_id}/outages', {
        params: { path: pathOf(at) },
        body,
      }),
    ),
  )
