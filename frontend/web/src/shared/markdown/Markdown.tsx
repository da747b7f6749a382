import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'

/** The renderer is its own chunk. */
const Rendered = lazy(() => import('./RenderedMarkdown'))

/** A text of at most this many characters, such as the prompt of a question, is shown without formatting until the renderer has
 * loaded. */
const SHORT = 500

/** Markdown of an author. `formulas` is the address of its formulas, if the build has rendered them. */
export function Markdown({ source, formulas }: { source: string; formulas?: string }) {
  const loading =
    source.length <= SHORT ? (
      <p className="g-typed">
        <Words source={source} />
      </p>
    ) : (
      // As tall as a screen, so that the content below does not jump.
      <div style={{ minHeight: '100vh' }}>
        <Skeleton h={18} mb="sm" />
        <Skeleton h={18} mb="sm" />
        <Skeleton h={18} w="70%" />
      </div>
    )
  return (
    <Suspense fallback={loading}>
      <Rendered source={source} {...(formulas && { formulas })} />
    </Suspense>
  )
}

/** Markdown by a user. It cannot cover what is around it, whatever it contains. */
export function CommentText({ source }: { source: string }) {
  return (
    <div className="g-comment">
      <Suspense fallback={<p className="g-typed">{source}</p>}>
        <Rendered source={source} comment />
      </Suspense>
    </div>
  )
}

/** One line of Markdown. A line of plain words and code does not wait for the renderer. */
export function Inline({ source }: { source: string }) {
  if (!/[$*[\\<&]|(?<!\w)_/.test(source.replace(/`[^`]*`/g, ''))) return <Words source={source} />
  return (
    <Suspense fallback={<span>{source}</span>}>
      <Rendered source={source} inline />
    </Suspense>
  )
}

export function Code({ source }: { source: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also with the keyboard
  const plain = <pre tabIndex={0}>{source}</pre>
  return (
    <Suspense fallback={plain}>
      <Rendered source={source} code />
    </Suspense>
  )
}

/** A line of text in which only code between backticks is formatted. */
export function Words({ source }: { source: string }) {
  // Every second part was between backticks.
  const parts = source
    .split('`')
    .map((text, place) => ({ text, code: place % 2 === 1, key: `${place} ${text}` }))
  return (
    <span>
      {parts.map(part =>
        part.code ? (
          <code key={part.key} className="g-code">
            {part.text}
          </code>
        ) : (
          part.text
        ),
      )}
    </span>
  )
}
