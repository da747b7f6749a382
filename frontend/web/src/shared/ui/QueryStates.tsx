import { Alert, Button, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '@/api/client'
import { RetryCountdown } from './RetryCountdown'

interface Props<T> {
  query: UseQueryResult<T>
  /** Whether it is the whole page, which then gets a heading until the data has loaded. */
  page?: boolean
  children: (data: T) => ReactNode
}

/**
 * Renders a query: loading, failed, or its data. For a query that makes up the whole page, errors of `replacesPage` are thrown:
 * the error boundary shows another page.
 */
export function Loaded<T>({ query, page, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  if (page && query.isError && replacesPage(query.error)) throw query.error
  const heading = page && (
    <VisuallyHidden component="h1">{query.isError ? 'Something went wrong' : 'Loading'}</VisuallyHidden>
  )
  if (query.isError)
    return (
      <>
        {heading}
        <ErrorMessage error={query.error} again={() => query.refetch()} />
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

/** Whether a page cannot be shown: the user must sign in (401), nothing is there (404), or an ID in its address is malformed (422). */
export function replacesPage(error: unknown): error is ApiError {
  return error instanceof ApiError && [401, 404, 422].includes(error.status)
}

function isGone(error: Error) {
  return error instanceof ApiError && error.status === 404
}

export function ErrorMessage({ error, again }: { error: Error; again?: () => void }) {
  if (error instanceof ApiError && error.code === 'asked_in_interview')
    return <LockedNotice>{error.message}</LockedNotice>
  return (
    <Alert
      color="red"
      variant="light"
      my="lg"
      icon={<IconAlertTriangle />}
      title={isGone(error) ? 'Not found' : 'Something went wrong'}
    >
      <Text size="sm">{error.message}</Text>
      <RetryCountdown error={error} />
      {again && !isGone(error) && (
        <Button size="xs" mt="sm" variant="default" onClick={again}>
          Try again
        </Button>
      )}
    </Alert>
  )
}

/** A notice for content that unlocks later; it is not an error. */
export function LockedNotice({ children }: { children: ReactNode }) {
  return (
    <Alert color="marigold" variant="light" my="md" title="Locked for now">
      <Text size="sm">{children}</Text>
    </Alert>
  )
}
