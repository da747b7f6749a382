/** The draft of a challenge for whoever is here. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { me } from '../api/queries'
import { HERE, Keeper } from './keeper'

const LAST = 'draft-owner'

export function useDraft(slug: string, starter: string) {
  const { data: account, isError } = useQuery(me)
  // Offline nobody can say who is here: whoever was here last.
  const known = account !== undefined || isError
  const last = isError ? (localStorage.getItem(LAST) ?? HERE) : HERE
  const owner = account ? (account.role === 'guest' ? HERE : account.id) : last
  const somebody = Boolean(account) || isError
  // biome-ignore lint/correctness/useExhaustiveDependencies: who becomes a guest goes on with the same draft
  const keeper = useMemo(
    () => (known ? new Keeper(slug, starter, owner, somebody) : null),
    [known, slug, starter, owner],
  )
  useEffect(() => {
    if (!keeper) return
    localStorage.setItem(LAST, keeper.owner)
    return keeper.start()
  }, [keeper])
  useEffect(() => {
    if (somebody) keeper?.signIn()
  }, [keeper, somebody])
  const draft = useSyncExternalStore(keeper?.subscribe ?? nothing, () => keeper?.draft ?? null)
  return { draft, keeper }
}

const nothing = () => () => undefined
