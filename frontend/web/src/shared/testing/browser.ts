/** Browser features for tests of the client's pure parts, which run without a browser: storage, and a scripted service. */

export type Respond = (request: Request) => Response | Promise<Response>

/** Keeps each item as a property, as browsers do, so that `Object.keys` lists the items. */
class Storage {
  [key: string]: unknown
  getItem(key: string) {
    return Object.hasOwn(this, key) ? this[key] : null
  }
  setItem(key: string, value: string) {
    this[key] = value
  }
  removeItem(key: string) {
    delete this[key]
  }
  clear() {
    for (const key of Object.keys(this)) this.removeItem(key)
  }
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
