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

/** Renders a query: loading, failed, or its data. */
export function Loaded<T>({ query, page, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data)
  const heading = page && (
    <VisuallyHidden component="h1">{query.isError ? title(query.error) : 'Loading'}</VisuallyHidden>
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

function isGone(error: Error) {
  return error instanceof ApiError && error.status === 404
}

function title(error: Error) {
  return isGone(error) ? 'Not found' : 'Something went wrong'
}

export function ErrorMessage({ error, again }: { error: Error; again?: () => void }) {
  if (error instanceof ApiError && error.code === 'asked_in_interview')
    return <LockedNotice>{error.message}</LockedNotice>
  return (
    <Alert color="red" variant="light" my="lg" icon={<IconAlertTriangle />} title={title(error)}>
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
