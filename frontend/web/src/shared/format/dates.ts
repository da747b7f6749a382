const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

/** Formats a time in the reader's locale and time zone. */
export const formatDateTime = (iso: string) => moment.format(new Date(iso))

/** Formats the date of a time. */
export const formatDate = (iso: string) => date.format(new Date(iso))
