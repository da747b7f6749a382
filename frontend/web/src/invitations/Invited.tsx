import { ActionIcon, Menu, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { day, when } from '../account/when'
import { Chip } from '../team/Chip'
import { LinkOnce } from '../team/LinkOnce'
import { ExtraTime } from './ExtraTime'
import css from './Invitations.module.css'
import { type Invitation, useDeeds } from './queries'
import { TakeBack } from './TakeBack'

interface Props {
  invitation: Invitation
  writable: boolean
}

/** One invitation: whose it is, how it stands, and what can be done about it. */
export function Invited({ invitation, writable }: Props) {
  const { resend, remind, extend } = useDeeds(invitation.id)
  const [revoking, { open: ask, close }] = useDisclosure()
  const { email, name, state } = invitation
  const waits = state === 'open' || state === 'expired'
  const error = resend.error ?? remind.error ?? extend.error
  const called = name || email || 'the link'
  return (
    <li className={css.item}>
      <div className={css.line}>
        <div className={css.who}>
          <Text fw={500}>{name || email || 'A link to hand over'}</Text>
          {name && (
            <Text size="sm" c="dimmed">
              {email || 'a link to hand over'}
            </Text>
          )}
        </div>
        <div className={css.state}>
          <Standing invitation={invitation} />
        </div>
        <div className={css.extra}>
          <ExtraTime
            minutes={invitation.extra_minutes}
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
                  {email ? 'Send again' : 'Make a new link'}
                </Menu.Item>
                {email && state === 'open' && (
                  <Menu.Item onClick={() => remind.mutate(undefined)}>Remind</Menu.Item>
                )}
                <Menu.Divider role="separator" />
                <Menu.Item c="var(--g-bad)" onClick={ask}>
                  Take back
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <TakeBack id={invitation.id} called={called} opened={revoking} close={close} />
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
          <LinkOnce link={resend.data.link}>
            {email
              ? `Another letter is on its way to ${email}. Links from before open nothing any more.`
              : 'The link from before opens nothing any more.'}
          </LinkOnce>
        )
      )}
    </li>
  )
}

function Standing({ invitation }: { invitation: Invitation }) {
  const { state, sent_at, reminded_at, used_at, revoked_at, expires_at } = invitation
  if (state === 'used') return <Told tone="good" word="started" more={used_at && when(used_at)} />
  if (state === 'revoked') return <Told tone="bad" word="taken back" more={revoked_at && when(revoked_at)} />
  if (state === 'expired') return <Told word="expired" more={when(expires_at)} />
  const last = `may start until ${day(expires_at)}`
  if (reminded_at) return <Told tone="new" word="reminded" more={`${when(reminded_at)}, ${last}`} />
  return <Told tone="new" word={sent_at ? 'sent' : 'link made'} more={last} />
}

interface ToldProps {
  tone?: 'good' | 'new' | 'bad'
  word: string
  more: string | null
}

function Told({ tone, word, more }: ToldProps) {
  return (
    <>
      <Chip tone={tone}>{word}</Chip>{' '}
      <Text span size="sm" c="dimmed">
        {more}
      </Text>
    </>
  )
}
