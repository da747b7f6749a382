import { Alert, Button, Skeleton, Text } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '@/api/client'
import { challengeProgress, hints } from '@/api/queries'
import { Inline } from '@/shared/markdown/Markdown'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { ClosedDuringInterview } from './ClosedDuringInterview'

interface Props {
  challenge: Schemas['ChallengeView']
  signedIn: boolean
}

/** Reveals hints one by one. Revealed hints stay open: the service remembers them for accounts, this tab for visitors. */
export function Hints({ challenge: { slug, hints_count: count }, signedIn }: Props) {
  const [here, setHere] = useSessionStorage({
    key: `hints:${slug}`,
    defaultValue: 0,
    getInitialValueInEffect: false,
  })
  const client = useQueryClient()
  const own = useQuery(challengeProgress(slug, signedIn))
  const open = Math.max(here, own.data?.hints ?? 0)
  const known = signedIn ? own.data?.interview === null : true
  const shown = useQuery({ ...hints(slug), enabled: known && open > 0 })
  const more = useMutation({
    mutationFn: () => client.ensureQueryData(hints(slug)),
    onSuccess: () => {
      setHere(open + 1)
      if (!signedIn) return
      const counted = unwrap(
        api.POST('/api/challenges/{slug}/hints', { params: { path: { slug } }, body: { count: open + 1 } }),
      )
      counted
        .then(changed => client.setQueryData(challengeProgress(slug, true).queryKey, changed))
        .catch(() => undefined)
    },
  })
  if (signedIn && own.isPending) return <Skeleton h={36} />
  if (own.data?.interview) return <ClosedDuringInterview interview={own.data.interview} />
  return (
    <>
      {open === 0 && (
        <Text mb="sm">
          Hints are revealed one at a time. They are free: you keep all points. Read one, try again, and come
          back for the next.
        </Text>
      )}
      {open > 0 && shown.isPending && <Skeleton h={80} mb="sm" />}
      {shown.data?.slice(0, open).map((hint, index) => (
        <Alert key={hint} variant="light" color="marigold" mb="sm" title={`Hint ${index + 1}`}>
          <Inline source={hint} />
        </Alert>
      ))}
      {more.isError && <ErrorMessage error={more.error} />}
      {shown.isError && !more.isError && <ErrorMessage error={shown.error} again={() => shown.refetch()} />}
      {open < count ? (
        <Button variant="default" loading={more.isPending} onClick={() => more.mutate()}>
          {open === 0 ? `Show the first of ${count} hints` : 'Show the next hint'}
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          That was the last hint.
        </Text>
      )}
    </>
  )
}
