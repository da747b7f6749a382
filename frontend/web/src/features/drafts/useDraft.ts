/** The draft of a challenge for the current account. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { me } from '@/api/queries'
import { DraftAutosave, HERE, LAST_OWNER } from './DraftAutosave'

export function useDraft(slug: string, starter: string) {
  const { data: account, isError } = useQuery(me)
  // Offline the account is unknown, so assume the last one.
  const known = account !== undefined || isError
  const last = isError ? (localStorage.getItem(LAST_OWNER) ?? HERE) : HERE
  const owner = account ? (account.role === 'guest' ? HERE : account.id) : last
  const signedIn = Boolean(account) || isError
  // biome-ignore lint/correctness/useExhaustiveDependencies: a visitor who becomes a guest keeps the same draft
  const keeper = useMemo(
    () => (known ? new DraftAutosave(slug, starter, owner, signedIn) : null),
    [known, slug, starter, owner],
  )
  useEffect(() => {
    if (!keeper) return
    localStorage.setItem(LAST_OWNER, keeper.owner)
    return keeper.start()
  }, [keeper])
  useEffect(() => {
    if (signedIn) keeper?.signIn()
  }, [keeper, signedIn])
  const draft = useSyncExternalStore(keeper?.subscribe ?? nothing, () => keeper?.draft ?? null)
  return { draft, keeper }
}

const nothing = () => () => undefined
