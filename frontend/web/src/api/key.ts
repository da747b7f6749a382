/** A key that nobody else draws: 32 hex digits. It is made on pages without TLS too, where `crypto.randomUUID` is not there. */
export const freshKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), each => each.toString(16).padStart(2, '0')).join('')
