/** Queries to the service, with their cache keys. */
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, api, type Schemas, unwrap } from './client'
import { RestartingQueryClient } from './RestartingQueryClient'

const MINUTE = 60_000

export const queryClient = new RestartingQueryClient({
  defaultOptions: {
    // Requests go out even if the browser reports that it is offline: a service on the same machine still answers, and other
    // requests fail at once instead of waiting.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: MINUTE,
      refetchOnWindowFocus: false,
      // Errors that the service returns on purpose are not retried; only an unreachable or failing service is.
      retry: (count, error) =>
        count < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      retryDelay: count => 400 * 2 ** count,
    },
  },
})

const EVERYTHING = 100

async function allChallenges(): Promise<Schemas['ChallengeCard'][]> {
  const items: Schemas['ChallengeCard'][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: { limit: number; cursor: string } = { limit: EVERYTHING, cursor }
    const page: Schemas['ChallengePage'] = await unwrap(api.GET('/api/challenges', { params: { query } }))
    items.push(...page.items)
    cursor = page.next_cursor
  }
  return items
}

export const challenges = queryOptions({ queryKey: ['challenges'], queryFn: allChallenges })

/** Easy challenges of a section, for newcomers; of the whole catalogue if the section has none. */
export const firstChallenges = (section: string, limit: number) =>
  queryOptions({
    queryKey: ['first-challenges', section, limit],
    queryFn: async () => {
      const easy = async (of: string) => {
        const query = { section: of, difficulty: 'easy' as const, limit }
        return (await unwrap(api.GET('/api/challenges', { params: { query } }))).items
      }
      const found = await easy(section)
      return found.length > 0 ? found : easy('')
    },
  })

export const catalogueSummary = queryOptions({
  queryKey: ['catalogue-summary'],
  queryFn: () => unwrap(api.GET('/api/catalogue')),
})

export const challengeStats = queryOptions({
  queryKey: ['challenge-stats'],
  queryFn: async () => (await unwrap(api.GET('/api/challenge-stats'))).items,
})

export const topics = queryOptions({
  queryKey: ['topics'],
  queryFn: async () => (await unwrap(api.GET('/api/topics'))).items,
})

export const tracks = queryOptions({
  queryKey: ['tracks'],
  queryFn: async () => (await unwrap(api.GET('/api/tracks'))).items,
})

export const challenge = (slug: string) =>
  queryOptions({
    queryKey: ['challenge', slug],
    queryFn: () => unwrap(api.GET('/api/challenges/{slug}', { params: { path: { slug } } })),
  })

/** The previous and the next challenge of its project, or of the whole catalogue. */
export const neighbours = (slug: string) =>
  queryOptions({
    queryKey: ['neighbours', slug],
    queryFn: () => unwrap(api.GET('/api/challenges/{slug}/neighbours', { params: { path: { slug } } })),
  })

export const topic = (id: string) =>
  queryOptions({
    queryKey: ['topic', id],
    queryFn: () => unwrap(api.GET('/api/topics/{topic_id}', { params: { path: { topic_id: id } } })),
  })

export const track = (id: string) =>
  queryOptions({
    queryKey: ['track', id],
    queryFn: () => unwrap(api.GET('/api/tracks/{track_id}', { params: { path: { track_id: id } } })),
  })

export const search = (q: string, limit: number) =>
  queryOptions({
    queryKey: ['search', q, limit],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: () => unwrap(api.GET('/api/search', { params: { query: { q, limit } } })),
  })

/** The account that is signed in; null if there is none. */
export const me = queryOptions({
  queryKey: ['me'],
  queryFn: () => unwrap(api.GET('/api/me')),
})

export const submissions = (slug: string, signedIn: boolean) =>
  queryOptions({
    queryKey: ['submissions', slug],
    enabled: signedIn,
    queryFn: async () =>
      (await unwrap(api.GET('/api/submissions', { params: { query: { slug, limit: 50 } } }))).items,
  })

export const submission = (id: string) =>
  queryOptions({
    queryKey: ['submission', id],
    queryFn: () =>
      unwrap(api.GET('/api/submissions/{submission_id}', { params: { path: { submission_id: id } } })),
  })

export const source = (id: string) =>
  queryOptions({
    queryKey: ['source', id],
    queryFn: () =>
      unwrap(api.GET('/api/submissions/{submission_id}/source', { params: { path: { submission_id: id } } })),
  })

/** How an accepted answer compares with those of other people, and the points that it earned. */
export const comparison = (id: string) =>
  queryOptions({
    queryKey: ['comparison', id],
    queryFn: () =>
      unwrap(
        api.GET('/api/submissions/{submission_id}/comparison', { params: { path: { submission_id: id } } }),
      ),
  })

/** The functions and modules that can be run on the user's own input, and how many of these runs are left this hour. */
export const ownInput = (slug: string) =>
  queryOptions({
    queryKey: ['own-input', slug],
    queryFn: () => unwrap(api.GET('/api/challenges/{slug}/own-input', { params: { path: { slug } } })),
  })

export const hints = (slug: string) =>
  queryOptions({
    queryKey: ['hints', slug],
    queryFn: async () =>
      (await unwrap(api.GET('/api/challenges/{slug}/hints', { params: { path: { slug } } }))).hints,
  })

/** The account's progress on a challenge. */
export const challengeProgress = (slug: string, enabled: boolean) =>
  queryOptions({
    queryKey: ['challenge-progress', slug],
    enabled,
    queryFn: () => unwrap(api.GET('/api/challenges/{slug}/way', { params: { path: { slug } } })),
  })

export const editorial = (slug: string) =>
  queryOptions({
    queryKey: ['editorial', slug],
    queryFn: () => unwrap(api.GET('/api/challenges/{slug}/editorial', { params: { path: { slug } } })),
  })

export const sharing = (id: string) =>
  queryOptions({
    queryKey: ['sharing', id],
    queryFn: () =>
      unwrap(api.GET('/api/submissions/{submission_id}/share', { params: { path: { submission_id: id } } })),
  })

export const shared = (id: string) =>
  queryOptions({
    queryKey: ['shared', id],
    queryFn: () => unwrap(api.GET('/api/shared/{shared_id}', { params: { path: { shared_id: id } } })),
  })

export const attempts = (id: string, signedIn: boolean) =>
  queryOptions({
    queryKey: ['attempts', id],
    enabled: signedIn,
    queryFn: async () => (await unwrap(api.GET('/api/attempts', { params: { query: { topic: id } } }))).items,
  })

export const attempt = (id: string) =>
  queryOptions({
    queryKey: ['attempt', id],
    queryFn: () => unwrap(api.GET('/api/attempts/{attempt_id}', { params: { path: { attempt_id: id } } })),
  })

export const tokens = queryOptions({
  queryKey: ['tokens'],
  queryFn: async () => (await unwrap(api.GET('/api/me/tokens'))).items,
})

export const sessions = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await unwrap(api.GET('/api/me/sessions'))).items,
})

export const providers = queryOptions({
  queryKey: ['providers'],
  queryFn: async () => (await unwrap(api.GET('/api/providers'))).items,
})

export const links = queryOptions({
  queryKey: ['links'],
  queryFn: async () => (await unwrap(api.GET('/api/me/providers'))).items,
})

export const reports = queryOptions({
  queryKey: ['reports'],
  queryFn: async () => (await unwrap(api.GET('/api/reports', { params: { query: { limit: 100 } } }))).items,
})

export const useMe = () => useQuery(me).data ?? null

/** Creates a guest account for a visitor without an account. Registering later keeps the guest's work. */
export function useGuest() {
  const client = useQueryClient()
  return async () => {
    if (client.getQueryData(me.queryKey)) return
    client.setQueryData(me.queryKey, await unwrap(api.POST('/api/guest')))
  }
}

/** First elements of the query keys of personal data. */
const PERSONAL = [
  'submissions',
  'submission',
  'source',
  'comparison',
  'measurement',
  'speed-board',
  'speed-entry',
  'challenge-progress',
  'hints',
  'own-input',
  'editorial',
  'answers',
  'discussion',
  'shared',
  'sharing',
  'attempts',
  'attempt',
  'tokens',
  'sessions',
  'links',
  'cards',
  'interviews',
  'interview',
  'reports',
  'following',
  'leaderboard',
  'admin',
  'teams',
  'team',
]

/** Call after another account signed in: invalidates all personal data. */
export function useSignedIn() {
  const client = useQueryClient()
  return (account: Schemas['AccountView'] | null) => {
    client.setQueryData(me.queryKey, account)
    for (const key of PERSONAL) client.removeQueries({ queryKey: [key] })
  }
}

/** A mutation that changes which account is signed in. */
export const useSignInMutation = <Body>(change: (body: Body) => Promise<Schemas['AccountView'] | null>) =>
  useMutation({ mutationFn: change, onSuccess: useSignedIn() })
