const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

/** A moment, as the reader's place writes it. */
export const when = (iso: string) => moment.format(new Date(iso))

/** A day. */
export const day = (iso: string) => date.format(new Date(iso))
