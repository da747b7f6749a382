import { Alert, Button, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Refusal } from '../api/client'

interface Props<T> {
  query: UseQueryResult<T>
  /** Whether it is all that the page shows: then its heading is here until it has come. */
  page?: boolean
  children: (data: T) => ReactNode
}

/** A page's data while it comes, when it failed, and when it is there. */
export function Loaded<T>({ query, page, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  const heading = page && (
    <VisuallyHidden component="h1">{query.isError ? 'Not here' : 'Loading'}</VisuallyHidden>
  )
  if (query.isError)
    return (
      <>
        {heading}
        <Broken error={query.error} again={() => query.refetch()} />
      </>
    )
  return (
    <Stack gap="md" py="lg" role="status" aria-busy="true" aria-label="Loading">
      {heading}
      <Skeleton h={36} w="55%" />
      <Skeleton h={18} w="80%" />
      <Skeleton h={18} w="74%" />
      <Skeleton h={160} />
    </Stack>
  )
}

export function Broken({ error, again }: { error: Error; again?: () => void }) {
  const gone = error instanceof Refusal && error.status === 404
  if (error instanceof Refusal && error.code === 'asked_in_interview') return <Closed>{error.message}</Closed>
  return (
    <Alert
      color="red"
      variant="light"
      my="lg"
      icon={<IconAlertTriangle />}
      title={gone ? 'Not here' : 'That did not work'}
    >
      <Text size="sm">{error.message}</Text>
      {again && !gone && (
        <Button size="xs" mt="sm" variant="default" onClick={again}>
          Try again
        </Button>
      )}
    </Alert>
  )
}

/** What opens later by itself is no fault. */
export function Closed({ children }: { children: ReactNode }) {
  return (
    <Alert color="marigold" variant="light" my="md" title="Closed for now">
      <Text size="sm">{children}</Text>
    </Alert>
  )
}
