/** After an upgrade the chunks of the open version no longer exist, so the page reloads, but never in a loop. */

const KEPT = 'reloaded-at'
const SOON_MS = 20_000
const MISSING = /dynamically imported module|module script failed|preload CSS|Loading chunk/i

/** Whether an error means that a chunk failed to load. */
export const isStaleChunk = (error: unknown) => error instanceof Error && MISSING.test(error.message)

/** Reloads the page if the service answers and no reload was tried just before. */
export async function reloadAfterUpgrade() {
  if (Date.now() - Number(sessionStorage.getItem(KEPT)) < SOON_MS) return
  const answers = await fetch('/api/health', { cache: 'no-store' }).then(
    answer => answer.ok,
    () => false,
  )
  if (!answers) return
  sessionStorage.setItem(KEPT, String(Date.now()))
  window.location.reload()
}
