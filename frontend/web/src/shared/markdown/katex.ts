/** Renders a formula with KaTeX. The build does this for the statements of the catalogue; in browsers, it is its own chunk. */
import katex from 'katex'
import type { Tex } from './markdown'

export const renderTex: Tex = (source, displayMode) =>
  katex.renderToString(source, {
    displayMode,
    throwOnError: false,
    strict: 'ignore',
    trust: false,
    // In em. No formula of ours is near it, and a hostile one cannot cover the page.
    maxSize: 40,
    output: 'htmlAndMathml',
  })
