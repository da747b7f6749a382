// Writes small versions of the fonts, with the characters that nearly every page needs, and the CSS that loads them (npm run
// fonts). The CSS comes after that of the whole fonts: of two fonts for a character, browsers take the one that is declared
// last. So a page loads a whole font only if it has other characters.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import subsetFont from 'subset-font'

const PRINTABLE = Array.from({ length: 95 }, (_, place) => String.fromCharCode(32 + place)).join('')
const WORDS = `${PRINTABLE}\u00a0·×–—‘’“”…−→`
// KaTeX sets a space of no width, U+200b, in most formulas.
const SYMBOLS = `${PRINTABLE}\u200b\u00a0−×⋅·±∗≤≥≠≈∼∈∑∏∞√∂∇∥∣⌊⌋⌈⌉⟨⟩…⋯→←′⊤ℓˉˆ⊙`
const LETTERS = `${PRINTABLE}αβγδεζηθικλμνξπρστυφχψωϵϕϑ`
const LARGE = '()[]{}|∣∥⌊⌋⌈⌉⟨⟩√∑∏∫'
const SANS = '@fontsource-variable/ibm-plex-sans/files/ibm-plex-sans-latin-wght-normal'
const SERIF = '@fontsource/source-serif-4/files/source-serif-4-latin-600-normal'
const MONO = '@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal'
const KATEX = 'katex/dist/fonts/KaTeX'
const WEIGHTS = { variationAxes: { wght: { min: 400, max: 600, default: 400 } } }

const FONTS = {
  'src/app/fonts': [
    ['IBM Plex Sans Variable', '100 700', 'normal', 'swap', SANS, WORDS, WEIGHTS],
    ['Source Serif 4', '600', 'normal', 'swap', SERIF, WORDS],
    ['IBM Plex Mono', '400', 'normal', 'swap', MONO, WORDS],
  ],
  'src/shared/markdown/fonts': [
    ['KaTeX_Main', '400', 'normal', 'block', `${KATEX}_Main-Regular`, SYMBOLS],
    ['KaTeX_Math', '400', 'italic', 'block', `${KATEX}_Math-Italic`, LETTERS],
    ['KaTeX_Size1', '400', 'normal', 'block', `${KATEX}_Size1-Regular`, LARGE],
    ['KaTeX_Size2', '400', 'normal', 'block', `${KATEX}_Size2-Regular`, LARGE],
  ],
}

function unicodeRange(characters) {
  const others = [...characters.replaceAll(PRINTABLE, '')].map(
    sign => `U+${sign.codePointAt(0).toString(16)}`,
  )
  return [...(characters.includes(PRINTABLE) ? ['U+20-7e'] : []), ...others].join(', ')
}

for (const [folder, fonts] of Object.entries(FONTS)) {
  mkdirSync(folder, { recursive: true })
  const rules = ['/* Written by scripts/fonts.mjs. */']
  for (const [family, weight, style, display, source, characters, options] of fonts) {
    const file = `${family.replaceAll(' ', '-').toLowerCase()}.woff2`
    const whole = readFileSync(`node_modules/${source}.woff2`)
    const small = await subsetFont(whole, characters, { targetFormat: 'woff2', ...options })
    writeFileSync(`${folder}/${file}`, small)
    console.log(`${folder}/${file}: ${small.length} of ${whole.length} bytes`)
    rules.push(`@font-face {
  font-family: "${family}";
  font-style: ${style};
  font-display: ${display};
  font-weight: ${weight};
  src: url("./${file}") format("woff2");
  unicode-range: ${unicodeRange(characters)};
}`)
  }
  writeFileSync(`${folder}/small.css`, `${rules.join('\n')}\n`)
}
