/** How code looks: the same in the editor and where two texts are compared. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags as t } from '@lezer/highlight'

export const colours = syntaxHighlighting(
  HighlightStyle.define([
    {
      tag: [t.keyword, t.controlKeyword, t.operatorKeyword, t.definitionKeyword, t.moduleKeyword],
      color: 'var(--g-key)',
    },
    { tag: t.string, color: 'var(--g-text)' },
    { tag: [t.number, t.bool, t.null], color: 'var(--g-num)' },
    { tag: t.comment, color: 'var(--g-note)', fontStyle: 'italic' },
    {
      tag: [t.definition(t.variableName), t.function(t.definition(t.variableName)), t.className],
      color: 'var(--g-def)',
    },
  ]),
)

const tint = (colour: string, percent: number) =>
  `color-mix(in srgb, var(${colour}) ${percent}%, transparent)`

export const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--g-surface)', color: 'var(--g-ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--g-ink)', padding: '12px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--g-ink)' },
  '.cm-fat-cursor': { background: `${tint('--g-link', 60)} !important`, color: 'var(--g-ink) !important' },
  '.cm-gutters': { backgroundColor: 'var(--g-surface)', color: 'var(--g-soft)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: tint('--g-link', 8) },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: `${tint('--g-link', 28)} !important`,
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--g-surface)',
    border: '1px solid var(--g-line)',
    borderRadius: '6px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--g-link)',
    color: 'var(--g-page)',
  },
  '.cm-panels': { backgroundColor: 'var(--g-sunken)', color: 'var(--g-ink)' },
  '.cm-panels input': { color: 'var(--g-ink)', background: 'transparent' },
  '.cm-changedLine, .cm-insertedLine, &.cm-merge-b .cm-changedLine': {
    backgroundColor: `${tint('--g-good', 7)} !important`,
  },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: `${tint('--g-bad', 6)} !important` },
  '.cm-changedText, &.cm-merge-b .cm-changedText': {
    background: `${tint('--g-good', 6)} !important`,
    boxShadow: `inset 0 -2px 0 ${tint('--g-good', 50)}`,
  },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: `${tint('--g-bad', 4)} !important`,
    boxShadow: `inset 0 -2px 0 ${tint('--g-bad', 50)}`,
  },
  '.cm-deletedChunk': { paddingLeft: '6px' },
  '.cm-collapsedLines': {
    background: 'var(--g-sunken)',
    color: 'var(--g-soft)',
    padding: '2px 8px',
  },
})
