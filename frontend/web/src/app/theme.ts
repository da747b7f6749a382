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

const SERIF = "'Source Serif 4 Variable', Georgia, serif"

export const theme = createTheme({
  primaryColor: 'cobalt',
  primaryShade: { light: 7, dark: 5 },
  colors: { cobalt, marigold },
  autoContrast: true,
  fontFamily: "'IBM Plex Sans', system-ui, sans-serif",
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
