import { Alert, Button, Skeleton, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, told } from '../api/client'
import { hints, way } from '../api/queries'
import { Inline } from '../parts/Markdown'
import { Broken } from '../parts/States'
import { Asked } from './Asked'

interface Props {
  challenge: Schemas['ChallengeView']
  signedIn: boolean
}

/** Hints, one by one; how many were opened is remembered for whoever is somebody. */
export function Hints({ challenge: { slug, hints_count: count }, signedIn }: Props) {
  const [open, setOpen] = useState(0)
  const client = useQueryClient()
  const own = useQuery(way(slug, signedIn))
  const more = useMutation({
    mutationFn: () => client.ensureQueryData(hints(slug)),
    onSuccess: () => {
      setOpen(open + 1)
      if (!signedIn) return
      const counted = told(
        api.POST('/api/challenges/{slug}/hints', { params: { path: { slug } }, body: { count: open + 1 } }),
      )
      counted.then(changed => client.setQueryData(way(slug, true).queryKey, changed)).catch(() => undefined)
    },
  })
  if (signedIn && own.isPending) return <Skeleton h={36} />
  if (own.data?.interview) return <Asked interview={own.data.interview} />
  return (
    <>
      {more.data?.slice(0, open).map((hint, index) => (
        <Alert key={hint} variant="light" color="marigold" mb="sm" title={`Hint ${index + 1}`}>
          <Inline source={hint} />
        </Alert>
      ))}
      {more.isError && <Broken error={more.error} />}
      {open < count ? (
        <Button variant="default" loading={more.isPending} onClick={() => more.mutate()}>
          {open === 0 ? `Show the first of ${count} hints` : 'One more'}
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          That was the last one.
        </Text>
      )}
    </>
  )
}
