import { ActionIcon, Anchor, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { Link } from 'react-router'
import { formatDate, formatDateTime } from '@/shared/format/dates'
import { formatPoints, pluralize } from '@/shared/format/numbers'
import { SecretLink } from '@/shared/forms/SecretLink'
import { Chip } from '@/shared/ui/Chip'
import { ExtraTimeDialog } from './ExtraTimeDialog'
import css from './Invitations.module.css'
import { type Invitation, useAssessmentParams, useInvitationActions, useSendsMail } from './model/requests'
import { RevokeDialog } from './RevokeDialog'

interface Props {
  invitation: Invitation
  writable: boolean
}

/** An invitation: its recipient, its state, and its actions. */
export function InvitationItem({ invitation, writable }: Props) {
  const { resend, remind, extend } = useInvitationActions(invitation.id)
  const sendsMail = useSendsMail()
  const [revoking, { open: ask, close }] = useDisclosure()
  const { email, name, state } = invitation
  const waits = state === 'open' || state === 'expired'
  const error = resend.error ?? remind.error ?? extend.error
  const called = name || email || 'this candidate'
  return (
    <li className={css.item}>
      <div className={css.line}>
        <div className={css.who}>
          <Text fw={500}>{name || email || 'Invitation link'}</Text>
          {name && (
            <Text size="sm" c="dimmed">
              {email || 'invitation link'}
            </Text>
          )}
        </div>
        <div className={css.state}>
          <Standing invitation={invitation} />
        </div>
        <div className={css.extra}>
          <ExtraTimeDialog
            extra={invitation}
            called={called}
            set={writable && waits ? extend.mutateAsync : undefined}
          />
        </div>
        {writable && waits && (
          <div className={css.more}>
            <Menu position="bottom-end" width={200}>
              <Menu.Target>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Actions for ${called}`}
                  loading={resend.isPending || remind.isPending}
                >
                  <IconDots size={19} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => resend.mutate(undefined)}>
                  {email && sendsMail ? 'Resend' : 'Create new link'}
                </Menu.Item>
                {email && sendsMail && state === 'open' && (
                  <Menu.Item onClick={() => remind.mutate(undefined)}>Send reminder</Menu.Item>
                )}
                <Menu.Divider role="separator" />
                <Menu.Item c="var(--g-bad)" onClick={ask}>
                  Revoke
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <RevokeDialog id={invitation.id} called={called} opened={revoking} close={close} />
          </div>
        )}
      </div>
      {error ? (
        <Text size="sm" c="var(--g-bad)" role="alert" className={css.below}>
          {error.message}
        </Text>
      ) : (
        resend.data &&
        waits && (
          <SecretLink link={resend.data.link}>
            {resend.data.sent_at
              ? `We sent another email to ${email}. Earlier links no longer work.`
              : 'Send the link yourself. The earlier link no longer works.'}
          </SecretLink>
        )
      )}
    </li>
  )
}

function Standing({ invitation }: { invitation: Invitation }) {
  const { state, sent_at, reminded_at, used_at, revoked_at, expires_at, outcome } = invitation
  if (outcome) return <Outcome outcome={outcome} />
  if (state === 'used')
    return <StateLine tone="good" word="Started" more={used_at && formatDateTime(used_at)} />
  if (state === 'revoked')
    return <StateLine tone="bad" word="Revoked" more={revoked_at && formatDateTime(revoked_at)} />
  if (state === 'expired') return <StateLine word="Expired" more={formatDateTime(expires_at)} />
  const last = `can start until ${formatDate(expires_at)}`
  if (reminded_at)
    return <StateLine tone="new" word="Reminded" more={`${formatDateTime(reminded_at)}, ${last}`} />
  return <StateLine tone="new" word={sent_at ? 'Sent' : 'Link created'} more={last} />
}

/** How far the candidate has come, with the score so far and a link to the report. */
function Outcome({ outcome }: { outcome: NonNullable<Invitation['outcome']> }) {
  const { team_id, assessment_id } = useAssessmentParams()
  const finished = outcome.state === 'finished'
  const final = finished && outcome.unfinished === 0 && outcome.to_review === 0
  return (
    <>
      <Chip tone={finished ? 'good' : 'new'}>{finished ? 'Finished' : 'In progress'}</Chip>{' '}
      <Anchor
        component={Link}
        size="sm"
        to={`/teams/${team_id}/assessments/${assessment_id}/people/${outcome.participation_id}`}
      >
        {formatPoints(outcome.score)} of {pluralize(outcome.points, 'point')}
        {!final && ' so far'}
        {outcome.to_review > 0 && `, ${outcome.to_review} still to review`}
      </Anchor>
    </>
  )
}

interface StateLineProps {
  tone?: 'good' | 'new' | 'bad'
  word: string
  more: string | null
}

function StateLine({ tone, word, more }: StateLineProps) {
  return (
    <>
      <Chip tone={tone}>{word}</Chip>{' '}
      <Text span size="sm" c="dimmed">
        {more}
      </Text>
    </>
  )
}
