/** The keepers of all items that were worked on since the page was opened, and of those that a crash left unsaved. */
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { OpenedItem, Participation } from '../api/taking'
import { openItem } from '../api/taking'
import { Keeper, type Terms, type Work } from './keeper'
import { positionsOf } from './storage'

export type Saved = 'saved' | 'saving' | 'offline' | 'refused'

export class Keepers {
  private kept = new Map<number, Keeper>()
  private hearers = new Set<() => void>()
  private present: Keeper | undefined

  constructor(
    private found: () => Participation,
    private onNews: () => void,
  ) {}

  subscribe = (hear: () => void) => {
    this.hearers.add(hear)
    return () => this.hearers.delete(hear)
  }

  /** The worst of them. */
  saved = (): Saved => {
    const states = [...this.kept.values()].map(each => each.work.status)
    if (states.includes('refused')) return 'refused'
    if (states.includes('offline')) return 'offline'
    return states.includes('saving') || states.includes('loading') ? 'saving' : 'saved'
  }

  /** The keeper of an item; it meets what the service has when it is made. */
  of({ position, challenge, draft }: OpenedItem): Keeper {
    const there = this.kept.get(position)
    if (there || !challenge) return there as Keeper
    const keeper = new Keeper(this.terms(position, challenge.starter))
    keeper.subscribe(() => {
      for (const hear of this.hearers) hear()
    })
    this.kept.set(position, keeper)
    if (draft) keeper.meet(draft)
    return keeper
  }

  /** Whose page is left and entered. */
  show(keeper?: Keeper) {
    this.present = keeper
  }

  /** Begin: send what lies here from before, and listen to the browser. Returns what ends it. */
  start(): () => void {
    for (const position of positionsOf(this.found().id)) this.recover(position)
    const seen = () => {
      const hidden = document.visibilityState === 'hidden'
      this.present?.note(hidden ? 'blur' : 'focus')
      for (const keeper of this.kept.values()) hidden ? keeper.leave() : keeper.look()
    }
    const online = () => this.each(keeper => keeper.look())
    const leaving = () => this.each(keeper => keeper.leave())
    document.addEventListener('visibilitychange', seen)
    window.addEventListener('pagehide', leaving)
    window.addEventListener('online', online)
    return () => {
      document.removeEventListener('visibilitychange', seen)
      window.removeEventListener('pagehide', leaving)
      window.removeEventListener('online', online)
      leaving()
    }
  }

  /** Save everything; whether that worked. */
  async flush(): Promise<boolean> {
    return (await Promise.all([...this.kept.values()].map(each => each.flush()))).every(Boolean)
  }

  /** Items whose text is not on the service. */
  unsaved(): number[] {
    return [...this.kept].filter(([, keeper]) => keeper.unsaved).map(([position]) => position)
  }

  private each(act: (keeper: Keeper) => void) {
    for (const keeper of this.kept.values()) act(keeper)
  }

  private async recover(position: number) {
    try {
      this.of(await openItem(position))
    } catch {
      // It is looked at again when its page is opened.
    }
  }

  private terms(position: number, starter: string): Terms {
    const section = () =>
      this.found().sections.find(each => each.items.some(one => one.position === position))
    const card = section()?.items.find(each => each.position === position)
    return {
      participation: this.found().id,
      position,
      starter,
      openedAt: Date.parse(card?.opened_at ?? this.found().server_time),
      recorded: this.found().recorded,
      endsAt: () => Date.parse(section()?.deadline ?? this.found().deadline),
      onNews: this.onNews,
    }
  }
}

/** The keepers of a participation, for as long as its page is open. */
export function useKeepers(found: Participation, onNews: () => void): Keepers {
  const live = useRef(found)
  live.current = found
  // biome-ignore lint/correctness/useExhaustiveDependencies: another participation has others
  const keepers = useMemo(() => new Keepers(() => live.current, onNews), [found.id, onNews])
  useEffect(() => keepers.start(), [keepers])
  return keepers
}

export const useSaved = (keepers: Keepers): Saved => useSyncExternalStore(keepers.subscribe, keepers.saved)

export const useWork = (keeper: Keeper): Work => useSyncExternalStore(keeper.subscribe, keeper.snapshot)
