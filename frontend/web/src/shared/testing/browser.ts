/** Browser features for tests of the client's pure parts, which run without a browser: storage, and a scripted service. */

export type Respond = (request: Request) => Response | Promise<Response>

class Storage {
  private items = new Map<string, string>()
  getItem = (key: string) => this.items.get(key) ?? null
  setItem = (key: string, value: string) => void this.items.set(key, value)
  removeItem = (key: string) => void this.items.delete(key)
  clear = () => this.items.clear()
}

/** The scripted service: `respond` answers the next requests, `requests` records them. */
export const service = {
  respond: (() => json(null)) as Respond,
  requests: [] as { method: string; body: unknown }[],
}

export const json = (body: unknown, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })

/** The client's modules read these when they are imported, so import this file first. */
const RealRequest = globalThis.Request
class Request extends RealRequest {
  constructor(input: string | URL | globalThis.Request, init?: RequestInit) {
    super(typeof input === 'string' ? new URL(input, 'http://service') : input, init)
  }
}
const fetch = async (request: globalThis.Request) => {
  const text = await request.clone().text()
  service.requests.push({ method: request.method, body: text ? JSON.parse(text) : undefined })
  return service.respond(request)
}
Object.assign(globalThis, { Request, fetch, localStorage: new Storage(), window: new EventTarget() })
Object.assign(globalThis.window, { setTimeout, clearTimeout })
Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true })
