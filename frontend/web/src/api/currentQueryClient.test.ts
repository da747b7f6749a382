import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { CurrentQueryClient } from './currentQueryClient'

/** A service that holds a list and answers a request only when it is told to, with the list as it was when asked. */
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

test('a list that was still loading for the first time when something was created is loaded again', async () => {
  const client = new CurrentQueryClient()
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

test('so is a list that nobody watches at this moment', async () => {
  const client = new CurrentQueryClient()
  const service = slowService()
  const loaded = client.fetchQuery({ queryKey: KEY, queryFn: service.list })
  service.items.push('new')
  await client.invalidateQueries({ queryKey: KEY })
  await service.answer()
  expect(await loaded).toEqual(['new'])
  expect(client.getQueryData(KEY)).toEqual(['new'])
})

test('a reply to a change is not replaced by an answer that was asked for before it', async () => {
  const client = new CurrentQueryClient()
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

test('a list at rest is asked for once, and another list that is loading is left alone', async () => {
  const client = new CurrentQueryClient()
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

test('a request that fails after it was started again is an error of the list, not of the page', async () => {
  const client = new CurrentQueryClient()
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
