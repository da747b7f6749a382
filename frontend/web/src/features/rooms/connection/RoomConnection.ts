/**
 * Connects a page to the shared document of a room, over one WebSocket. If the connection is lost, people go on writing, and the
 * documents are compared when it is back. `api/hiring/room_documents/protocol.py` describes the messages.
 */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import {
  Awareness,
  applyAwarenessUpdate,
  encodeAwarenessUpdate,
  modifyAwarenessUpdate,
  removeAwarenessStates,
} from 'y-protocols/awareness'
import * as Y from 'yjs'
import { type PersonState, toCursor } from './people'

const [SYNC, AWARENESS, CHANGED, SAVED] = [0, 1, 100, 101]
const [STATE, MISSING, UPDATE] = [0, 1, 2]
const [SOON_MS, LATEST_MS] = [500, 8000]
// How often the service is asked for what is missing, and after how long a silence the connection counts as lost. A connection
// that has broken without notice, as after a change of networks, would otherwise seem open for minutes.
const [ASK_MS, SILENCE_MS] = [10_000, 25_000]
// Codes with which the service ends a connection for good.
const [REFUSED, ENDED, TOO_LARGE] = [4403, 4410, 4413]

export interface ConnectionState {
  phase: 'connecting' | 'open' | 'lost' | 'refused' | 'ended'
  /** Whether all that was written here is stored. */
  saved: boolean
  /** Why the service has refused the connection. */
  reason: string
  /** Everybody who is connected, without duplicates. */
  people: PersonState[]
}

export class RoomConnection {
  readonly doc = new Y.Doc()
  readonly awareness = new Awareness(this.doc)
  private state: ConnectionState = { phase: 'connecting', saved: true, reason: '', people: [] }
  private listeners = new Set<() => void>()
  private socket: WebSocket | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly heartbeat: ReturnType<typeof setInterval>
  private heard = 0
  private pause = SOON_MS
  private synced = false
  private sent = 0
  private stored = 0

  constructor(
    private readonly address: string,
    /** Called when the room has changed, or what only its interviewers can see. */
    private readonly onChanged: (what: 'room' | 'private') => void,
  ) {
    this.doc.on('update', this.onUpdate)
    this.awareness.on('update', this.onAwareness)
    window.addEventListener('online', this.retry)
    window.addEventListener('offline', this.drop)
    window.addEventListener('beforeunload', this.ask)
    this.heartbeat = setInterval(this.beat, ASK_MS)
    this.open()
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  snapshot = () => this.state

  /** Resolves when all that was written here is stored; rejects if that takes too long. */
  async untilSaved(ms = 5000): Promise<void> {
    const until = Date.now() + ms
    while (!this.state.saved || this.state.phase !== 'open') {
      if (Date.now() > until)
        throw new Error(
          'The code is not saved yet, because there is no connection. Nothing is lost. Try again.',
        )
      await new Promise(done => setTimeout(done, 50))
    }
  }

  close() {
    clearTimeout(this.timer)
    clearInterval(this.heartbeat)
    window.removeEventListener('online', this.retry)
    window.removeEventListener('offline', this.drop)
    window.removeEventListener('beforeunload', this.ask)
    const socket = this.socket
    this.socket = undefined
    socket?.close()
    this.awareness.destroy()
    this.doc.destroy()
  }

  private open() {
    const socket = new WebSocket(this.address)
    socket.binaryType = 'arraybuffer'
    this.socket = socket
    socket.onopen = () => {
      this.heard = Date.now()
      this.synced = false
      this.sent = 0
      this.stored = 0
      this.send(SYNC, STATE, Y.encodeStateVector(this.doc))
    }
    socket.onmessage = ({ data }) =>
      this.socket === socket && this.receive(new Uint8Array(data as ArrayBuffer))
    socket.onclose = ({ code, reason }) => this.socket === socket && this.onClose(code, reason)
  }

  private onClose(code: number, reason: string) {
    this.synced = false
    const others = [...this.awareness.getStates().keys()].filter(each => each !== this.doc.clientID)
    removeAwarenessStates(this.awareness, others, this)
    if (code === ENDED) return this.set({ phase: 'ended', people: [] })
    if (code === REFUSED || code === TOO_LARGE) return this.set({ phase: 'refused', reason, people: [] })
    this.set({ phase: 'lost', people: [] })
    this.timer = setTimeout(this.retry, this.pause)
    this.pause = Math.min(LATEST_MS, 2 * this.pause)
  }

  /** Gives up the present connection, without waiting until the browser notices that it is lost. */
  private drop = () => {
    const socket = this.socket
    if (!socket || (this.state.phase !== 'open' && this.state.phase !== 'connecting')) return
    this.socket = undefined
    socket.close()
    this.onClose(0, '')
  }

  private beat = () => {
    if (this.state.phase !== 'open') return
    if (Date.now() - this.heard > SILENCE_MS) this.drop()
    else this.send(SYNC, STATE, Y.encodeStateVector(this.doc))
  }

  private retry = () => {
    if (this.state.phase !== 'lost') return
    clearTimeout(this.timer)
    this.set({ phase: 'connecting' })
    this.open()
  }

  private receive(message: Uint8Array) {
    this.heard = Date.now()
    const decoder = decoding.createDecoder(message)
    const kind = decoding.readVarUint(decoder)
    if (kind === SYNC) {
      const step = decoding.readVarUint(decoder)
      const data = decoding.readVarUint8Array(decoder)
      if (step === STATE) this.bringUpToDate(data)
      else Y.applyUpdate(this.doc, data, this)
    } else if (kind === AWARENESS) {
      const update = modifyAwarenessUpdate(decoding.readVarUint8Array(decoder), toCursor)
      applyAwarenessUpdate(this.awareness, update, this)
    } else if (kind === CHANGED) {
      this.onChanged(decoding.readVarString(decoder) === 'private' ? 'private' : 'room')
    } else if (kind === SAVED) {
      this.stored = decoding.readVarUint(decoder)
      this.set({ saved: this.stored >= this.sent })
    }
  }

  /** Send what is missing in the state that the service reported. From now on, each change is sent. */
  private bringUpToDate(state: Uint8Array) {
    this.send(SYNC, MISSING, Y.encodeStateAsUpdate(this.doc, state))
    this.synced = true
    this.sent = 1
    this.pause = SOON_MS
    // Each call makes the cursor newer than the one that the service has removed with the last connection.
    for (let turn = 0; turn < 2; turn++) this.awareness.setLocalState(this.awareness.getLocalState() ?? {})
    this.set({ phase: 'open', saved: false })
  }

  private onUpdate = (update: Uint8Array, origin: unknown) => {
    if (origin === this) return
    this.set({ saved: false })
    if (!this.synced) return
    this.sent += 1
    this.send(SYNC, UPDATE, update)
  }

  private onAwareness = (
    { added, updated, removed }: Record<'added' | 'updated' | 'removed', number[]>,
    origin: unknown,
  ) => {
    if (origin === this || removed.length) this.showPeople()
    const own = [...added, ...updated].includes(this.doc.clientID)
    if (own && this.synced)
      this.send(AWARENESS, undefined, encodeAwarenessUpdate(this.awareness, [this.doc.clientID]))
  }

  private showPeople() {
    const people = new Map<string, PersonState>()
    for (const { user } of this.awareness.getStates().values() as Iterable<{ user?: PersonState }>)
      if (user) people.set(user.id, user)
    this.set({ people: [...people.values()] })
  }

  private send(kind: number, step: number | undefined, data: Uint8Array) {
    const encoder = encoding.createEncoder()
    encoding.writeVarUint(encoder, kind)
    if (step !== undefined) encoding.writeVarUint(encoder, step)
    encoding.writeVarUint8Array(encoder, data)
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(encoding.toUint8Array(encoder))
  }

  private ask = (event: BeforeUnloadEvent) => {
    if (!this.state.saved && this.state.phase !== 'ended') event.preventDefault()
  }

  private set(change: Partial<ConnectionState>) {
    this.state = { ...this.state, ...change }
    for (const each of this.listeners) each()
  }
}
