/** The user's editor settings, stored in this browser. */
import { useLocalStorage } from '@mantine/hooks'

export interface EditorSettings {
  size: number
  tab: number
  vim: boolean
}

export const SIZES = [12, 14, 16, 18, 20]
export const TABS = [2, 4, 8]
const DEFAULT: EditorSettings = { size: 14, tab: 4, vim: false }

export const useEditorSettings = () =>
  useLocalStorage<EditorSettings>({ key: 'editor', defaultValue: DEFAULT, getInitialValueInEffect: false })
