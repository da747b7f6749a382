/** After an upgrade the chunks of the version that is open here are gone: the page is loaded anew, but never in a circle. */

const KEPT = 'reloaded-at'
const SOON_MS = 20_000
const MISSING = /dynamically imported module|module script failed|preload CSS|Loading chunk/i

/** Whether an error says that a part of the client could not be loaded. */
export const isOldCode = (error: unknown) => error instanceof Error && MISSING.test(error.message)

/** Loads the page again if the service answers and this was not just tried. */
export async function reloadOnce() {
  if (Date.now() - Number(sessionStorage.getItem(KEPT)) < SOON_MS) return
  const answers = await fetch('/api/health', { cache: 'no-store' }).then(
    answer => answer.ok,
    () => false,
  )
  if (!answers) return
  sessionStorage.setItem(KEPT, String(Date.now()))
  window.location.reload()
}
