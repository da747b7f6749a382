import { NativeSelect, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useSearchParams } from 'react-router'
import { Pages } from '../parts/Pages'
import css from './Invitations.module.css'
import { Invited } from './Invited'
import { type State, useInvitations } from './queries'

const STATES: readonly { value: State; label: string }[] = [
  { value: 'open', label: 'Not started' },
  { value: 'used', label: 'Started' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Taken back' },
]
/** From so many on one looks for somebody. */
const A_LOT = 8

/** Everybody who was invited, newest first. */
export function Listed({ writable }: { writable: boolean }) {
  const [params, setParams] = useSearchParams()
  const q = params.get('q') ?? ''
  const state = STATES.find(each => each.value === params.get('state'))?.value
  const query = useInvitations(q, state)
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
            label="E-mail or name"
            defaultValue={q}
            maxLength={254}
            onChange={event => look(event.currentTarget.value)}
            w={260}
          />
          <NativeSelect
            label="Who"
            data={[{ value: '', label: 'Everybody' }, ...STATES]}
            value={state ?? ''}
            onChange={event => set('state', event.currentTarget.value)}
          />
        </div>
      )}
      <Pages query={query} empty={narrowed ? 'Nobody here is like that.' : 'Nobody is invited yet.'}>
        {items => (
          <ul className={css.list}>
            {items.map(each => (
              <Invited key={each.id} invitation={each} writable={writable} />
            ))}
          </ul>
        )}
      </Pages>
      {count > 0 && writable && (
        <Text size="sm" c="dimmed" mt="sm">
          Whoever got a letter and has not started is reminded by itself, once, on the last day.
        </Text>
      )}
    </section>
  )
}
