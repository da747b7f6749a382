/** The autosaves of all items that were opened on this page, and of those that a crash left unsaved. */
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { OpenedItem, Participation } from '../requests'
import { openItem } from '../requests'
import { AnswerAutosave, type Terms, type Work } from './AnswerAutosave'
import { describeClosedTime, watchAttention } from './attention'
import { MarksAutosave } from './MarksAutosave'
import { positionsOf, positionsWithMarks } from './storage'

export type Saved = 'saved' | 'saving' | 'offline' | 'refused'

export class Autosaves {
  private autosaves = new Map<number, AnswerAutosave>()
  private marks = new Map<number, MarksAutosave>()
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
    const states = [...this.autosaves.values(), ...this.marks.values()].map(each => each.work.status)
    if (states.includes('refused')) return 'refused'
    if (states.includes('offline')) return 'offline'
    return states.includes('saving') || states.includes('loading') ? 'saving' : 'saved'
  }

  /** The autosave of an item. A new one first compares its text with the service's draft. */
  of({ position, challenge, question, draft, own_answer }: OpenedItem): AnswerAutosave {
    const there = this.autosaves.get(position)
    if (there || !(challenge || question)) return there as AnswerAutosave
    const keeper = new AnswerAutosave(this.terms(position, own_answer ?? challenge?.starter ?? ''))
    keeper.subscribe(() => this.tell())
    this.autosaves.set(position, keeper)
    if (draft) keeper.meet(draft)
    return keeper
  }

  /** The autosave of the lines that the candidate marks for a question. */
  marksOf(position: number): MarksAutosave {
    const there = this.marks.get(position)
    if (there) return there
    const marks = new MarksAutosave({
      participation: this.found().id,
      position,
      onNews: this.onNews,
    })
    marks.subscribe(() => this.tell())
    this.marks.set(position, marks)
    return marks
  }

  /** Sets the item whose page reports focus changes. */
  show(keeper?: AnswerAutosave) {
    this.present = keeper
    const closed = keeper && describeClosedTime()
    if (!closed) return
    keeper.note('blur', 0, closed)
    keeper.note('focus')
  }

  /** Sends texts and marked lines left from before, and listens to browser events. Returns a function that stops it. */
  start(): () => void {
    const { id } = this.found()
    for (const position of positionsOf(id)) this.recover(position)
    for (const position of positionsWithMarks(id)) this.marksOf(position).look()
    const seen = () => {
      const hidden = document.visibilityState === 'hidden'
      this.each(keeper => (hidden ? keeper.leave() : keeper.look()))
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
    const texts = await Promise.all([...this.autosaves.values()].map(each => each.flush()))
    const marks = await Promise.all([...this.marks.values()].map(each => each.flush()))
    return [...texts, ...marks].every(Boolean)
  }

  /** Positions of items whose text or marked lines are not on the service. */
  unsaved(): number[] {
    const kept = [...this.autosaves, ...this.marks].filter(([, keeper]) => keeper.unsaved)
    return [...new Set(kept.map(([position]) => position))]
  }

  private tell() {
    for (const hear of this.hearers) hear()
  }

  private each(act: (keeper: AnswerAutosave | MarksAutosave) => void) {
    for (const keeper of [...this.autosaves.values(), ...this.marks.values()]) act(keeper)
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
