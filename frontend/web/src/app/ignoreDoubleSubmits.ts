/** Long enough for a form to render as being sent, with its button disabled. Shorter than anybody needs to send it again. */
const RENDERED_MS = 100

/**
 * Ignores the second submit of a double click, for every form of the site. The first one starts a request, but until the form
 * has rendered again, its button is enabled and its state still says that nothing is being sent.
 */
export function ignoreDoubleSubmits(page: Document) {
  const sent = new WeakSet<EventTarget>()
  page.addEventListener(
    'submit',
    event => {
      const form = event.target
      if (!form) return
      if (sent.has(form)) {
        event.preventDefault()
        event.stopImmediatePropagation()
        return
      }
      sent.add(form)
      setTimeout(() => sent.delete(form), RENDERED_MS)
    },
    { capture: true },
  )
}
