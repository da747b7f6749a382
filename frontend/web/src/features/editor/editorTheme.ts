/** The look of code, shared by the editor and the comparison of texts. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags as t } from '@lezer/highlight'

export const syntaxColours = syntaxHighlighting(
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

export const editorTheme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--g-surface)', color: 'var(--g-ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--g-ink)', padding: '12px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--g-ink)' },
  '.cm-fat-cursor': { background: `${tint('--g-link', 60)} !important`, color: 'var(--g-ink) !important' },
  '.cm-gutters': { backgroundColor: 'var(--g-surface)', color: 'var(--g-soft)', border: 'none' },
  '.cm-gutter-marks': { width: '1.4em' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: tint('--g-link', 8) },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: `${tint('--g-link', 28)} !important`,
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--g-surface)',
    border: '1px solid var(--g-line)',
    borderRadius: '6px',
  },
  '.cm-torch-signature': {
    maxWidth: 'min(34rem, 90vw)',
    padding: '2px 8px',
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: '0.85em',
    overflowWrap: 'anywhere',
  },
  '.cm-torch-docs': {
    maxWidth: 'min(34rem, 90vw)',
    padding: '6px 10px',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '13px',
    lineHeight: '1.45',
  },
  '.cm-torch-docs code': { fontFamily: 'var(--mantine-font-family-monospace)', overflowWrap: 'anywhere' },
  '.cm-torch-docs p': { margin: '4px 0 0', color: 'var(--g-soft)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--g-link)',
    color: 'var(--g-page)',
  },
  '.cm-panels': { backgroundColor: 'var(--g-sunken)', color: 'var(--g-ink)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--g-line)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--g-line)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    padding: '8px 36px 8px 12px',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '13px',
  },
  '.cm-panel.cm-search br': { flexBasis: '100%', content: '""' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '4px', fontSize: '13px' },
  '.cm-panel.cm-search input[type=checkbox]': { accentColor: 'var(--g-link)', margin: 0 },
  '.cm-textfield, .cm-vim-panel input': {
    minHeight: '28px',
    margin: 0,
    padding: '2px 8px',
    border: '1px solid var(--g-line)',
    borderRadius: '6px',
    background: 'var(--g-surface)',
    color: 'var(--g-ink)',
    fontSize: '13px',
  },
  '.cm-button': {
    minHeight: '28px',
    margin: 0,
    padding: '2px 10px',
    border: '1px solid var(--g-line)',
    borderRadius: '6px',
    backgroundColor: 'var(--g-surface)',
    backgroundImage: 'none',
    color: 'var(--g-ink)',
    fontFamily: 'inherit',
    fontSize: '13px',
    cursor: 'pointer',
    '&:hover': { backgroundColor: 'var(--g-sunken)' },
    '&:active': { backgroundImage: 'none', backgroundColor: 'var(--g-sunken)' },
  },
  '.cm-panel.cm-search [name=close]': {
    top: '8px',
    right: '8px',
    width: '28px',
    height: '28px',
    color: 'var(--g-soft)',
    fontSize: '20px',
    cursor: 'pointer',
  },
  '.cm-textfield:focus-visible, .cm-button:focus-visible, .cm-panel [name=close]:focus-visible': {
    outline: '2px solid var(--g-link)',
    outlineOffset: '1px',
  },
  '.cm-searchMatch': { backgroundColor: tint('--g-medium', 28) },
  '.cm-searchMatch-selected': { backgroundColor: tint('--g-medium', 55) },
  '.cm-selectionMatch': { backgroundColor: tint('--g-link', 16) },
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
  '.cm-changedLineGutter, .cm-merge-b .cm-changedLineGutter': { background: 'var(--g-good)' },
  '.cm-deletedLineGutter, &.cm-merge-a .cm-changedLineGutter, .cm-merge-a .cm-changedLineGutter': {
    background: 'var(--g-bad)',
  },
  '.cm-deletedChunk .cm-chunkButtons': { insetInlineEnd: '8px' },
  '.cm-deletedChunk button, .cm-merge-revert button': {
    minHeight: '24px',
    margin: '2px',
    padding: '1px 8px',
    border: '1px solid var(--g-line)',
    borderRadius: '6px',
    background: 'var(--g-surface)',
    color: 'var(--g-ink)',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '12px',
    cursor: 'pointer',
  },
  '.cm-collapsedLines': {
    background: 'var(--g-sunken)',
    color: 'var(--g-soft)',
    padding: '2px 8px',
  },
})
