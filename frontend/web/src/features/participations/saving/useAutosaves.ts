/** The autosaves of all items that were opened on this page, and of those that a crash left unsaved. */
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { OpenedItem, Participation } from '../requests'
import { openItem } from '../requests'
import { AnswerAutosave, type Terms, type Work } from './AnswerAutosave'
import { describeClosedTime, watchAttention } from './attention'
import { positionsOf } from './storage'

export type Saved = 'saved' | 'saving' | 'offline' | 'refused'

export class Autosaves {
  private autosaves = new Map<number, AnswerAutosave>()
  private hearers = new Set<() => void>()
  private present: AnswerAutosave | undefined

  constructor(
    private found: () => Participation,
    private onNews: () => void,
  ) {}

  subscribe = (hear: () => void) => {
    this.hearers.add(hear)
    return () => this.hearers.delete(hear)
  }

  /** The worst save state among all items. */
  saved = (): Saved => {
    const states = [...this.autosaves.values()].map(each => each.work.status)
    if (states.includes('refused')) return 'refused'
    if (states.includes('offline')) return 'offline'
    return states.includes('saving') || states.includes('loading') ? 'saving' : 'saved'
  }

  /** The autosave of an item. A new one first compares its text with the service's draft. */
  of({ position, challenge, question, draft, own_answer }: OpenedItem): AnswerAutosave {
    const there = this.autosaves.get(position)
    if (there || !(challenge || question)) return there as AnswerAutosave
    const keeper = new AnswerAutosave(this.terms(position, own_answer ?? challenge?.starter ?? ''))
    keeper.subscribe(() => {
      for (const hear of this.hearers) hear()
    })
    this.autosaves.set(position, keeper)
    if (draft) keeper.meet(draft)
    return keeper
  }

  /** Sets the item whose page reports focus changes. */
  show(keeper?: AnswerAutosave) {
    this.present = keeper
    const closed = keeper && describeClosedTime()
    if (!closed) return
    keeper.note('blur', 0, closed)
    keeper.note('focus')
  }

  /** Sends texts left from before and listens to browser events. Returns a function that stops it. */
  start(): () => void {
    for (const position of positionsOf(this.found().id)) this.recover(position)
    const seen = () => {
      const hidden = document.visibilityState === 'hidden'
      for (const keeper of this.autosaves.values()) hidden ? keeper.leave() : keeper.look()
    }
    const online = () => this.each(keeper => keeper.look())
    const leaving = () => this.each(keeper => keeper.leave())
    const unwatch = watchAttention((kind, detail) => this.present?.note(kind, 0, detail))
    document.addEventListener('visibilitychange', seen)
    window.addEventListener('pagehide', leaving)
    window.addEventListener('online', online)
    return () => {
      unwatch()
      document.removeEventListener('visibilitychange', seen)
      window.removeEventListener('pagehide', leaving)
      window.removeEventListener('online', online)
      leaving()
    }
  }

  /** Saves all items. Returns whether that succeeded. */
  async flush(): Promise<boolean> {
    return (await Promise.all([...this.autosaves.values()].map(each => each.flush()))).every(Boolean)
  }

  /** Positions of items whose text is not on the service. */
  unsaved(): number[] {
    return [...this.autosaves].filter(([, keeper]) => keeper.unsaved).map(([position]) => position)
  }

  private each(act: (keeper: AnswerAutosave) => void) {
    for (const keeper of this.autosaves.values()) act(keeper)
  }

  private async recover(position: number) {
    try {
      this.of(await openItem(position))
    } catch {
      // It is retried when the item's page is opened.
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

/** The autosaves of a participation, for as long as its page is open. */
export function useAutosaves(found: Participation, onNews: () => void): Autosaves {
  const live = useRef(found)
  live.current = found
  // biome-ignore lint/correctness/useExhaustiveDependencies: another participation needs new autosaves
  const keepers = useMemo(() => new Autosaves(() => live.current, onNews), [found.id, onNews])
  useEffect(() => keepers.start(), [keepers])
  return keepers
}

export const useSavedState = (keepers: Autosaves): Saved =>
  useSyncExternalStore(keepers.subscribe, keepers.saved)

export const useAnswerText = (keeper: AnswerAutosave): Work =>
  useSyncExternalStore(keeper.subscribe, keeper.snapshot)

/** Lets the page of an item report focus changes to its autosave, and saves again after an extension. */
export function useShownAutosave(keepers: Autosaves, keeper: AnswerAutosave, deadline: string) {
  useEffect(() => {
    keepers.show(keeper)
    return () => keepers.show(undefined)
  }, [keepers, keeper])
  // After an extension, texts that could not be saved any more can be saved again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the end moves
  useEffect(() => {
    if (keeper.work.status === 'held') keeper.look()
  }, [keeper, deadline])
}
