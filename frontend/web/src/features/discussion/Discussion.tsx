import { Anchor, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { useMe } from '@/api/queries'
import { ShowMore } from '@/shared/ui/PagedList'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { CommentCard } from './CommentCard'
import { CommentForm } from './CommentForm'
import css from './Discussion.module.css'
import { discussion, type Sort, type Thread, usePost } from './requests'
import { useUnsent } from './useUnsent'

const SORTS = [
  { value: 'votes', label: 'Most votes' },
  { value: 'newest', label: 'Newest' },
]

/** What people say about a challenge. The caller checks that the discussion is open. */
export default function Discussion({ slug }: { slug: string }) {
  const [params, setParams] = useSearchParams()
  const sort: Sort = params.get('sort') === 'newest' ? 'newest' : 'votes'
  const query = useDiscussion(slug, sort)
  const account = useMe()
  const member = account !== null && account.role !== 'guest'
  const [posted, setPosted] = useState<string>()
  useShown(posted, query)
  const items = distinct(query.data?.pages.flatMap(page => page.items) ?? [])
  const order = (value: string) =>
    setParams({ tab: 'discussion', ...(value === 'newest' && { sort: value }) }, { replace: true })
  const onPosted = (id: string) => {
    setPosted(id)
    // A new comment has no votes yet, so it can be on a later page of the other order.
    if (query.hasNextPage) order('newest')
  }
  return (
    <>
      {member ? <NewComment slug={slug} onPosted={onPosted} /> : <SignUpToWrite slug={slug} />}
      <output className={css.status}>{posted && 'Your comment is posted.'}</output>
      {query.isPending && <Skeleton h={160} />}
      {query.isError && <ErrorMessage error={query.error} again={() => query.refetch()} />}
      {query.data && (
        <>
          {items.length > 1 && (
            <SegmentedControl
              size="xs"
              mb="sm"
              data={SORTS}
              value={sort}
              onChange={order}
              aria-label="Order of the comments"
            />
          )}
          {items.length === 0 && (
            <Text c="dimmed" mt="md">
              No comments yet. Ask what is still unclear, or tell others what made it click.
            </Text>
          )}
          {items.map(each => (
            <OneThread key={each.id} slug={slug} thread={each} member={member} onPosted={setPosted} />
          ))}
          <ShowMore query={query} />
        </>
      )}
    </>
  )
}

const useDiscussion = (slug: string, sort: Sort) => useInfiniteQuery(discussion(slug, sort))

/** A comment can come twice if votes change between two pages. */
const distinct = (items: Thread[]) => [...new Map(items.map(each => [each.id, each])).values()]

/**
 * Scrolls to a comment that was just posted, or to the one that the address names, and moves the focus there. Loads the pages
 * up to that comment first.
 */
function useShown(posted: string | undefined, query: ReturnType<typeof useDiscussion>) {
  const { hash } = useLocation()
  const loaded = query.isSuccess && !query.isFetching
  const { hasNextPage, fetchNextPage } = query
  const id = posted ? `comment-${posted}` : hash.slice(1)
  const shown = useRef('')
  useEffect(() => {
    if (!loaded || shown.current === id || !id.startsWith('comment-')) return
    const found = document.getElementById(id)
    if (found) {
      shown.current = id
      found.scrollIntoView({ block: 'center' })
      found.focus({ preventScroll: true })
    } else if (hasNextPage) fetchNextPage()
  }, [id, loaded, hasNextPage, fetchNextPage])
}

interface ThreadProps {
  slug: string
  thread: Thread
  member: boolean
  onPosted: (id: string) => void
}

function OneThread({ slug, thread, member, onPosted }: ThreadProps) {
  const [replying, setReplying] = useState(false)
  const open = () => setReplying(true)
  return (
    <CommentCard slug={slug} comment={thread} {...(member && { onReply: open })}>
      {(thread.replies.length > 0 || replying) && (
        <div className={css.replies}>
          {thread.replies.map(each => (
            <CommentCard key={each.id} slug={slug} comment={each} />
          ))}
          {replying && (
            <NewComment
              slug={slug}
              to={thread}
              onPosted={id => {
                setReplying(false)
                onPosted(id)
              }}
              onCancel={() => setReplying(false)}
            />
          )}
        </div>
      )}
    </CommentCard>
  )
}

interface NewProps {
  slug: string
  /** The comment that is replied to. */
  to?: Thread
  onPosted: (id: string) => void
  onCancel?: () => void
}

function NewComment({ slug, to, onPosted, onCancel }: NewProps) {
  const { text, key, change } = useUnsent(`${slug} ${to?.id ?? ''}`)
  const post = usePost(slug)
  const send = (sent: string) =>
    post.mutate(
      { text: sent, parent: to?.id ?? null, key },
      {
        onSuccess: made => {
          change('')
          onPosted(made.id)
        },
      },
    )
  return (
    <CommentForm
      label={to ? `Reply to ${to.name}` : 'Your comment'}
      button={to ? 'Reply' : 'Comment'}
      placeholder={to ? '' : 'A question, another way to solve it, what surprised you'}
      text={text}
      onChange={change}
      onSend={send}
      {...(onCancel && { onCancel })}
      busy={post.isPending}
      error={post.error}
    />
  )
}

function SignUpToWrite({ slug }: { slug: string }) {
  const then = encodeURIComponent(`/challenges/${slug}?tab=discussion`)
  return (
    <Text size="sm" mb="md">
      You are a guest.{' '}
      <Anchor component={Link} to={`/sign-in?new=1&then=${then}`}>
        Create an account
      </Anchor>{' '}
      to comment and vote.
    </Text>
  )
}
