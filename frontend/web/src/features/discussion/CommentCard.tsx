import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useMe } from '@/api/queries'
import { ReportButton } from '@/features/feedback'
import { formatDateTime } from '@/shared/format/dates'
import { ConfirmDialog } from '@/shared/forms/ConfirmDialog'
import { CommentText } from '@/shared/markdown/Markdown'
import { VoteButton } from '@/shared/ui/VoteButton'
import { CommentForm } from './CommentForm'
import css from './Discussion.module.css'
import { type Comment, useDelete, useEdit, useHide, useVote } from './requests'

interface Props {
  slug: string
  comment: Comment
  /** Absent for replies, and for readers who cannot write. */
  onReply?: () => void
  children?: ReactNode
}

/** A comment with what its reader can do with it. `children` are its replies. */
export function CommentCard({ slug, comment, onReply, children }: Props) {
  const [editing, setEditing] = useState(false)
  const { search } = useLocation()
  if (comment.text === '')
    return (
      <article
        className={css.comment}
        id={`comment-${comment.id}`}
        tabIndex={-1}
        aria-label="Removed comment"
      >
        <Text size="sm" c="dimmed" fs="italic">
          {comment.state === 'deleted' ? 'This comment was deleted.' : 'A moderator has hidden this comment.'}
        </Text>
        {children}
      </article>
    )
  return (
    <article
      className={css.comment}
      id={`comment-${comment.id}`}
      tabIndex={-1}
      aria-label={`${comment.parent_id ? 'Reply' : 'Comment'} by ${comment.name}`}
    >
      <header className={css.head}>
        <bdi className={css.name}>{comment.name}</bdi>
        {comment.mine && <span className={css.mark}>You</span>}
        <Link
          to={{ search, hash: `comment-${comment.id}` }}
          replace
          preventScrollReset
          title="Link to this comment"
          className={css.when}
        >
          <time dateTime={comment.created_at}>{formatDateTime(comment.created_at)}</time>
        </Link>
        {comment.edited_at && <span title={formatDateTime(comment.edited_at)}>edited</span>}
      </header>
      {comment.state === 'hidden' && (
        <Text size="sm" c="var(--g-bad)" mb={4}>
          A moderator has hidden this comment.{' '}
          {comment.mine
            ? 'Only you and moderators can read it.'
            : 'Only its author and moderators can read it.'}
        </Text>
      )}
      {editing ? (
        <Edit slug={slug} comment={comment} done={() => setEditing(false)} />
      ) : (
        <>
          <CommentText source={comment.text} />
          <Actions
            slug={slug}
            comment={comment}
            {...(onReply && { onReply })}
            onEdit={() => setEditing(true)}
          />
        </>
      )}
      {children}
    </article>
  )
}

function Edit({ slug, comment, done }: { slug: string; comment: Comment; done: () => void }) {
  const [text, setText] = useState(comment.text)
  const edit = useEdit(slug, comment.id)
  return (
    <CommentForm
      label="Edit your comment"
      button="Save"
      text={text}
      onChange={setText}
      onSend={changed => edit.mutate(changed, { onSuccess: done })}
      onCancel={done}
      busy={edit.isPending}
      error={edit.error}
    />
  )
}

function Actions({ slug, comment, onReply, onEdit }: Omit<Props, 'children'> & { onEdit: () => void }) {
  const account = useMe()
  const vote = useVote(slug, comment.id)
  const hide = useHide(slug, comment.id)
  const member = account !== null && account.role !== 'guest'
  const shown = comment.state === 'shown'
  const error = vote.error ?? hide.error
  return (
    <>
      <Group gap={2} mt={8} ml={-8}>
        <VoteButton
          votes={comment.votes}
          voted={comment.voted}
          target={`${comment.name}’s ${comment.parent_id ? 'reply' : 'comment'}`}
          {...(member && shown && !comment.mine && { onVote: vote.mutate })}
          busy={vote.isPending}
        />
        {onReply && shown && <Action onClick={onReply}>Reply</Action>}
        {comment.mine && shown && <Action onClick={onEdit}>Edit</Action>}
        {comment.mine && <Delete slug={slug} id={comment.id} />}
        {!comment.mine && shown && <ReportButton about="comment" target={`${slug}/${comment.id}`} />}
        {account?.role === 'admin' && !comment.mine && (
          <Action onClick={() => hide.mutate(shown)}>{shown ? 'Hide' : 'Restore'}</Action>
        )}
      </Group>
      {error && (
        <Text size="sm" c="var(--g-bad)" role="alert">
          {error.message}
        </Text>
      )}
    </>
  )
}

function Delete({ slug, id }: { slug: string; id: string }) {
  const [asking, setAsking] = useState(false)
  const remove = useDelete(slug, id)
  return (
    <>
      <Action onClick={() => setAsking(true)}>Delete</Action>
      {asking && (
        <ConfirmDialog
          title="Delete this comment?"
          label="Delete"
          grave
          onClose={() => setAsking(false)}
          onSend={() => remove.mutate()}
          busy={remove.isPending}
          error={remove.error}
        >
          <Text size="sm">Its text and votes are deleted for good. Replies to it stay.</Text>
        </ConfirmDialog>
      )}
    </>
  )
}

function Action({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button size="compact-xs" variant="subtle" color="gray" c="dimmed" onClick={onClick}>
      {children}
    </Button>
  )
}
