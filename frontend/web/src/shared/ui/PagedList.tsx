import { Button, Text } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loaded } from './QueryStates'

export interface Page<T> {
  items: T[]
  next_cursor: string | null
}

interface Props<T> {
  query: UseInfiniteQueryResult<InfiniteData<Page<T>>, Error>
  empty: string
  children: (items: T[]) => ReactNode
}

/** A list with a button to load more, and a message if it is empty. */
export function PagedList<T>({ query, empty, children }: Props<T>) {
  const items = query.data?.pages.flatMap(page => page.items)
  if (items === undefined) return <Loaded query={{ ...query, data: undefined } as never}>{() => null}</Loaded>
  if (items.length === 0) return <Text c="dimmed">{empty}</Text>
  return (
    <>
      {children(items)}
      <ShowMore query={query} />
    </>
  )
}

type Growing = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>

/** Fetches the next page of a list, if there is one. */
export function ShowMore({ query }: { query: Growing }) {
  if (!query.hasNextPage) return null
  return (
    <Button
      mt="md"
      variant="default"
      loading={query.isFetchingNextPage}
      onClick={() => query.fetchNextPage()}
    >
      Show more
    </Button>
  )
}
