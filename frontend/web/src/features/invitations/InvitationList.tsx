import { NativeSelect, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useSearchParams } from 'react-router'
import { PagedList } from '@/shared/ui/PagedList'
import { InvitationItem } from './InvitationItem'
import css from './Invitations.module.css'
import { type State, useInvitations, useSendsMail } from './model/requests'

const STATES: readonly { value: State; label: string }[] = [
  { value: 'open', label: 'Not started' },
  { value: 'used', label: 'Started' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
]
/** From this many invitations on, the list has a search field. */
const A_LOT = 8

/** All invitations, newest first. */
export function InvitationList({ writable }: { writable: boolean }) {
  const [params, setParams] = useSearchParams()
  const q = params.get('q') ?? ''
  const state = STATES.find(each => each.value === params.get('state'))?.value
  const query = useInvitations(q, state)
  const sendsMail = useSendsMail()
  const set = (name: string, value: string) =>
    setParams(
      before => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  const look = useDebouncedCallback((value: string) => set('q', value), 250)
  const narrowed = q !== '' || state !== undefined
  const count = query.data?.pages[0]?.items.length ?? 0
  return (
    <section aria-labelledby="invited">
      <Title order={2} id="invited" fz="1.3rem" mb="sm" mt="2.5rem">
        Invited
      </Title>
      {(narrowed || count >= A_LOT) && (
        <div className={css.find}>
          <TextInput
            type="search"
            label="Email or name"
            defaultValue={q}
            maxLength={254}
            onChange={event => look(event.currentTarget.value)}
            w={260}
          />
          <NativeSelect
            label="Status"
            data={[{ value: '', label: 'All' }, ...STATES]}
            value={state ?? ''}
            onChange={event => set('state', event.currentTarget.value)}
          />
        </div>
      )}
      <PagedList query={query} empty={narrowed ? 'No invitations match.' : 'No invitations yet.'}>
        {items => (
          <ul className={css.list}>
            {items.map(each => (
              <InvitationItem key={each.id} invitation={each} writable={writable} />
            ))}
          </ul>
        )}
      </PagedList>
      {count > 0 && writable && sendsMail && (
        <Text size="sm" c="dimmed" mt="sm">
          Everyone who got an email and has not started gets one reminder, on the day before the invitation
          expires.
        </Text>
      )}
    </section>
  )
}
