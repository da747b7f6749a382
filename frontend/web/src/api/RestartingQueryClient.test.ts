import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { RestartingQueryClient } from './RestartingQueryClient'

/** A service with a list. Requests wait until `answer` is called, and then return the list as it was when they were sent. */
function slowService() {
  const waiting: (() => void)[] = []
  const service = {
    items: [] as string[],
    requests: 0,
    list: () =>
      new Promise<string[]>(resolve => {
        service.requests += 1
        const asked = [...service.items]
        waiting.push(() => resolve(asked))
      }),
    answer: async () => {
      for (const send of waiting.splice(0)) send()
      await new Promise(resolve => setTimeout(resolve))
    },
  }
  return service
}

const KEY = ['list']

function watched(client: QueryClient, service: ReturnType<typeof slowService>) {
  const observer = new QueryObserver(client, { queryKey: KEY, queryFn: service.list, retry: false })
  observer.subscribe(() => undefined)
  return observer
}

test('a list is loaded again if something was created during its first request', async () => {
  const client = new RestartingQueryClient()
  const service = slowService()
  const observer = watched(client, service)
  service.items.push('new')
  const refreshed = client.invalidateQueries({ queryKey: KEY })
  await service.answer()
  await refreshed
  expect(observer.getCurrentResult().data).toEqual(['new'])
  expect(observer.getCurrentResult().fetchStatus).toBe('idle')
  expect(service.requests).toBe(2)
})

test('a list without an observer is loaded again, too', async () => {
  const client = new RestartingQueryClient()
  const service = slowService()
  const loaded = client.fetchQuery({ queryKey: KEY, queryFn: service.list })
  service.items.push('new')
  await client.invalidateQueries({ queryKey: KEY })
  await service.answer()
  expect(await loaded).toEqual(['new'])
  expect(client.getQueryData(KEY)).toEqual(['new'])
})

test('changed data is not replaced by an earlier response', async () => {
  const client = new RestartingQueryClient()
  const service = slowService()
  const observer = watched(client, service)
  await service.answer()
  void observer.refetch()
  service.items.push('new')
  client.setQueryData(KEY, ['new'])
  await service.answer()
  await service.answer()
  expect(observer.getCurrentResult().data).toEqual(['new'])
  expect(observer.getCurrentResult().fetchStatus).toBe('idle')
})

test('an idle list is requested once, and requests of other lists are not repeated', async () => {
  const client = new RestartingQueryClient()
  const service = slowService()
  watched(client, service)
  await service.answer()
  const other = slowService()
  const loaded = client.fetchQuery({ queryKey: ['other'], queryFn: other.list })
  void client.invalidateQueries({ queryKey: KEY })
  client.setQueryData(['unrelated'], ['x'])
  await service.answer()
  await other.answer()
  await loaded
  expect(service.requests).toBe(2)
  expect(other.requests).toBe(1)
})

test('the error of a repeated request is stored in the query, and is no unhandled rejection', async () => {
  const client = new RestartingQueryClient()
  const rejected = vi.fn()
  process.on('unhandledRejection', rejected)
  const observer = new QueryObserver(client, {
    queryKey: KEY,
    queryFn: () => Promise.reject(new Error('unreachable')),
    retry: false,
  })
  observer.subscribe(() => undefined)
  void client.invalidateQueries({ queryKey: KEY })
  await new Promise(resolve => setTimeout(resolve, 10))
  process.off('unhandledRejection', rejected)
  expect(observer.getCurrentResult().error?.message).toBe('unreachable')
  expect(rejected).not.toHaveBeenCalled()
})
