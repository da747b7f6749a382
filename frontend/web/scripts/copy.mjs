// Prints every text of the client that a person can read, as «file:line text», so that all of them can be read as one list.
// A text is what JSX shows, a string of a text-bearing prop, or any other string with a space and a letter in it.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const PROPS = /^(title|label|placeholder|description|alt|empty|button|hint|aria-label|name|text|word)$/
const NOT_SHOWN =
  /^(className|style|to|href|key|id|size|variant|type|d|viewBox|transform|grid-template|w|h|p|m)$/

const oneLine = text => text.replace(/\s+/g, ' ').trim()
const isProse = text => /[A-Za-z]{2}/.test(text) && /\s/.test(text.trim())
const isCode = node => {
  for (let at = node.parent; at; at = at.parent) {
    if (ts.isImportDeclaration(at) || ts.isExportDeclaration(at) || ts.isTypeNode(at)) return true
    if (ts.isJsxAttribute(at)) return NOT_SHOWN.test(at.name.getText())
  }
  return false
}
const isLabel = node =>
  (ts.isJsxAttribute(node.parent) || ts.isPropertyAssignment(node.parent)) &&
  PROPS.test(node.parent.name.getText().replaceAll("'", ''))

/** An element's words with its children in place, such as «Saved {…} ago»; undefined where it has no words of its own. */
function wordsOf(node) {
  if (!node.children.some(child => ts.isJsxText(child) && /[A-Za-z]/.test(child.text))) return
  return oneLine(
    node.children
      .map(child => {
        if (ts.isJsxText(child)) return child.text
        if (ts.isJsxExpression(child))
          return child.expression && ts.isStringLiteral(child.expression) ? child.expression.text : '{…}'
        return ts.isJsxElement(child) ? `<${wordsOf(child) ?? '…'}>` : '<…>'
      })
      .join(''),
  )
}

function textsOf(path) {
  const source = ts.createSourceFile(
    path,
    readFileSync(path, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TSX,
  )
  const found = []
  const add = (node, text) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    if (text) found.push(`${relative(ROOT, path)}:${line + 1} ${text}`)
  }
  const visit = node => {
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      const inside = ts.isJsxElement(node.parent) && wordsOf(node.parent)
      if (!inside) add(node, wordsOf(node))
    } else if (ts.isStringLiteralLike(node) && !isCode(node)) {
      if (isLabel(node) || isProse(node.text)) add(node, oneLine(node.text))
    } else if (ts.isTemplateExpression(node) && !isCode(node)) {
      const text = node.head.text + node.templateSpans.map(span => `{…}${span.literal.text}`).join('')
      if (isProse(text)) add(node, oneLine(text))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const files = readdirSync(join(ROOT, 'src'), { recursive: true })
  .filter(name => /\.tsx?$/.test(name) && !/\.test\.|\.d\.ts$|testing/.test(name))
  .sort()
for (const file of files) for (const text of textsOf(join(ROOT, 'src', file))) console.log(text)
