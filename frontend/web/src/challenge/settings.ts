/** How somebody likes the editor; kept in this browser. */
import { useLocalStorage } from '@mantine/hooks'

export interface Settings {
  size: number
  tab: number
  vim: boolean
}

export const SIZES = [12, 14, 16, 18, 20]
export const TABS = [2, 4, 8]
const DEFAULT: Settings = { size: 14, tab: 4, vim: false }

export const useSettings = () =>
  useLocalStorage<Settings>({ key: 'editor', defaultValue: DEFAULT, getInitialValueInEffect: false })
