import { Anchor, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { challengeProgress, challengeStats } from '@/api/queries'
import { LazyDiscussion } from '@/features/discussion'
import { formatCount } from '@/shared/format/numbers'
import { Loaded } from '@/shared/ui/QueryStates'
import { ClosedDuringInterview } from './ClosedDuringInterview'
import css from './Workspace.module.css'

/** The discussion, available once the challenge is solved or given up. */
export function DiscussionTab({ slug, signedIn }: { slug: string; signedIn: boolean }) {
  const query = useQuery(challengeProgress(slug, signedIn))
  if (!signedIn) return <Closed />
  return (
    <Loaded query={query}>
      {own => {
        if (own.interview) return <ClosedDuringInterview interview={own.interview} />
        if (!own.open) return <Closed />
        return (
          <Suspense fallback={<Skeleton h={240} />}>
            <LazyDiscussion slug={slug} />
          </Suspense>
        )
      }}
    </Loaded>
  )
}

function Closed() {
  return (
    <>
      <Text>The discussion unlocks when you solve the challenge, so that nothing is given away before.</Text>
      <Text c="dimmed" mt="sm">
        Stuck? You can also give up, under{' '}
        <Anchor component={Link} to="?tab=editorial" replace>
          Editorial
        </Anchor>
        .
      </Text>
    </>
  )
}

/** The name of the tab, with the number of comments. */
export function DiscussionTitle({ slug }: { slug: string }) {
  const comments = useQuery(challengeStats).data?.find(each => each.slug === slug)?.comments
  return <>Discussion{comments ? <span className={css.count}> {formatCount(comments)}</span> : null}</>
}
