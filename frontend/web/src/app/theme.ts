/** Defines all colours, type and spacing. Other code uses Mantine's variables or those of base.css. */
import { createTheme, type MantineColorsTuple } from '@mantine/core'

const cobalt: MantineColorsTuple = [
  '#eef2ff',
  '#dbe3fb',
  '#b4c4f5',
  '#8aa3ef',
  '#6786ea',
  '#4466dc',
  '#3659cf',
  '#2a4ab8',
  '#23409b',
  '#19307a',
]

const marigold: MantineColorsTuple = [
  '#fff7e6',
  '#ffedcc',
  '#ffd999',
  '#ffc361',
  '#ffb020',
  '#f59e0b',
  '#d98206',
  '#b26a00',
  '#8a5200',
  '#5e3800',
]

// Mantine's greys are cool. These follow the surfaces, lines and texts of base.css, in the light scheme and in the dark one.
const gray: MantineColorsTuple = [
  '#f9f7f3',
  '#f3f0ea',
  '#eae5dc',
  '#ddd6ca',
  '#cbc3b5',
  '#a9a195',
  '#6f685e',
  '#57524a',
  '#3d3933',
  '#1d1b18',
]

const dark: MantineColorsTuple = [
  '#e9e7e2',
  '#c9c6be',
  '#a5a29a',
  '#7c7a76',
  '#42454f',
  '#30333d',
  '#20232b',
  '#14151a',
  '#101116',
  '#0c0d11',
]

const SERIF = "'Source Serif 4', Georgia, serif"

export const theme = createTheme({
  primaryColor: 'cobalt',
  primaryShade: { light: 7, dark: 5 },
  colors: { cobalt, marigold, gray, dark },
  autoContrast: true,
  fontFamily: "'IBM Plex Sans Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'IBM Plex Mono', ui-monospace, monospace",
  headings: { fontFamily: SERIF, fontWeight: '600', textWrap: 'balance' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: {
    Anchor: { defaultProps: { underline: 'hover' } },
    Card: { defaultProps: { withBorder: true } },
    // A dialog's heading must not be a banner landmark.
    Modal: {
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        attributes: { header: { role: 'presentation' } },
      },
    },
    Paper: { defaultProps: { withBorder: true } },
  },
})
