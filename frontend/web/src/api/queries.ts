/** What is asked of the service, with the keys under which answers are kept. */
import {
  keepPreviousData,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api, Refusal, type Schemas, told } from './client'

const MINUTE = 60_000

export const queries = new QueryClient({
  defaultOptions: {
    // The browser's word for being offline stops nobody: a service on this very machine answers all the same, and
    // whoever asks without a connection is told so instead of waiting for it.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      staleTime: MINUTE,
      refetchOnWindowFocus: false,
      // A refusal stays one; only a service that cannot be reached or that broke is asked again.
      retry: (count, error) =>
        count < 2 && error instanceof Refusal && (error.status === 0 || error.status >= 500),
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
    const page: Schemas['ChallengePage'] = await told(api.GET('/api/challenges', { params: { query } }))
    items.push(...page.items)
    cursor = page.next_cursor
  }
  return items
}

export const challenges = queryOptions({ queryKey: ['challenges'], queryFn: allChallenges })

export const topics = queryOptions({
  queryKey: ['topics'],
  queryFn: async () => (await told(api.GET('/api/topics'))).items,
})

export const tracks = queryOptions({
  queryKey: ['tracks'],
  queryFn: async () => (await told(api.GET('/api/tracks'))).items,
})

export const challenge = (slug: string) =>
  queryOptions({
    queryKey: ['challenge', slug],
    queryFn: () => told(api.GET('/api/challenges/{slug}', { params: { path: { slug } } })),
  })

export const topic = (id: string) =>
  queryOptions({
    queryKey: ['topic', id],
    queryFn: () => told(api.GET('/api/topics/{topic_id}', { params: { path: { topic_id: id } } })),
  })

export const track = (id: string) =>
  queryOptions({
    queryKey: ['track', id],
    queryFn: () => told(api.GET('/api/tracks/{track_id}', { params: { path: { track_id: id } } })),
  })

export const search = (q: string, limit: number) =>
  queryOptions({
    queryKey: ['search', q, limit],
    enabled: q !== '',
    placeholderData: keepPreviousData,
    queryFn: () => told(api.GET('/api/search', { params: { query: { q, limit } } })),
  })

/** Who is signed in; null for nobody. */
export const me = queryOptions({
  queryKey: ['me'],
  queryFn: async () => {
    try {
      return await told(api.GET('/api/me'))
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return null
      throw error
    }
  },
})

export const submissions = (slug: string, signedIn: boolean) =>
  queryOptions({
    queryKey: ['submissions', slug],
    enabled: signedIn,
    queryFn: async () =>
      (await told(api.GET('/api/submissions', { params: { query: { slug, limit: 50 } } }))).items,
  })

export const submission = (id: string) =>
  queryOptions({
    queryKey: ['submission', id],
    queryFn: () =>
      told(api.GET('/api/submissions/{submission_id}', { params: { path: { submission_id: id } } })),
  })

export const source = (id: string) =>
  queryOptions({
    queryKey: ['source', id],
    queryFn: () =>
      told(api.GET('/api/submissions/{submission_id}/source', { params: { path: { submission_id: id } } })),
  })

export const hints = (slug: string) =>
  queryOptions({
    queryKey: ['hints', slug],
    queryFn: async () =>
      (await told(api.GET('/api/challenges/{slug}/hints', { params: { path: { slug } } }))).hints,
  })

/** How far one is with a challenge. */
export const way = (slug: string, signedIn: boolean) =>
  queryOptions({
    queryKey: ['way', slug],
    enabled: signedIn,
    queryFn: () => told(api.GET('/api/challenges/{slug}/way', { params: { path: { slug } } })),
  })

export const editorial = (slug: string) =>
  queryOptions({
    queryKey: ['editorial', slug],
    queryFn: () => told(api.GET('/api/challenges/{slug}/editorial', { params: { path: { slug } } })),
  })

export const sharing = (id: string) =>
  queryOptions({
    queryKey: ['sharing', id],
    queryFn: () =>
      told(api.GET('/api/submissions/{submission_id}/share', { params: { path: { submission_id: id } } })),
  })

export const shared = (id: string) =>
  queryOptions({
    queryKey: ['shared', id],
    queryFn: () => told(api.GET('/api/shared/{shared_id}', { params: { path: { shared_id: id } } })),
  })

export const attempts = (id: string, signedIn: boolean) =>
  queryOptions({
    queryKey: ['attempts', id],
    enabled: signedIn,
    queryFn: async () => (await told(api.GET('/api/attempts', { params: { query: { topic: id } } }))).items,
  })

export const attempt = (id: string) =>
  queryOptions({
    queryKey: ['attempt', id],
    queryFn: () => told(api.GET('/api/attempts/{attempt_id}', { params: { path: { attempt_id: id } } })),
  })

export const tokens = queryOptions({
  queryKey: ['tokens'],
  queryFn: async () => (await told(api.GET('/api/me/tokens'))).items,
})

export const sessions = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await told(api.GET('/api/me/sessions'))).items,
})

export const providers = queryOptions({
  queryKey: ['providers'],
  queryFn: async () => (await told(api.GET('/api/providers'))).items,
})

export const links = queryOptions({
  queryKey: ['links'],
  queryFn: async () => (await told(api.GET('/api/me/providers'))).items,
})

export const reports = queryOptions({
  queryKey: ['reports'],
  queryFn: async () => (await told(api.GET('/api/reports', { params: { query: { limit: 100 } } }))).items,
})

export const useMe = () => useQuery(me).data ?? null

/** Whoever is nobody yet becomes a guest: what is done is kept when an account is made. */
export function useGuest() {
  const client = useQueryClient()
  return async () => {
    if (client.getQueryData(me.queryKey)) return
    client.setQueryData(me.queryKey, await told(api.POST('/api/guest')))
  }
}

/** First words of the keys of what belongs to somebody. */
const PERSONAL = [
  'submissions',
  'submission',
  'source',
  'way',
  'hints',
  'editorial',
  'answers',
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
  'desk',
  'teams',
  'team',
]

/** Somebody else is signed in from now on: everything that belongs to somebody is asked for anew. */
export function useSigned() {
  const client = useQueryClient()
  return (account: Schemas['AccountView'] | null) => {
    client.setQueryData(me.queryKey, account)
    for (const key of PERSONAL) client.removeQueries({ queryKey: [key] })
  }
}

/** A change of who is signed in. */
export const useSigning = <Body>(change: (body: Body) => Promise<Schemas['AccountView'] | null>) =>
  useMutation({ mutationFn: change, onSuccess: useSigned() })
