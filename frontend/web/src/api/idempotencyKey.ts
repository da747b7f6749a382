/** A unique key: 32 random hex digits. It also works on pages without TLS, where `crypto.randomUUID` is missing. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), each => each.toString(16).padStart(2, '0')).join('')
