import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'

/** The renderer (KaTeX, the Python highlighter) is a chunk of its own. */
const Rendered = lazy(() => import('./Rendered'))

export function Markdown({ source }: { source: string }) {
  return (
    // As tall as a screen: what stands below comes into view at its own place.
    <Suspense
      fallback={
        <div style={{ minHeight: '100vh' }}>
          <Skeleton h={18} mb="sm" />
          <Skeleton h={18} mb="sm" />
          <Skeleton h={18} w="70%" />
        </div>
      }
    >
      <Rendered source={source} />
    </Suspense>
  )
}

/** One line of Markdown. Most lines hold nothing but words and code: those do not wait for the renderer. */
export function Inline({ source }: { source: string }) {
  if (!/[$*[\\<&]|(?<!\w)_/.test(source.replace(/`[^`]*`/g, ''))) return <Words source={source} />
  return (
    <Suspense fallback={<span>{source}</span>}>
      <Rendered source={source} inline />
    </Suspense>
  )
}

export function Code({ source }: { source: string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by the keyboard too
  const plain = <pre tabIndex={0}>{source}</pre>
  return (
    <Suspense fallback={plain}>
      <Rendered source={source} code />
    </Suspense>
  )
}

function Words({ source }: { source: string }) {
  // Every other part stood between backticks.
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
