/**
 * Single-key shortcuts. Users can switch them off, because speech input and accidental keystrokes trigger them too (WCAG 2.1.4).
 */
import { useHotkeys, useLocalStorage } from '@mantine/hooks'

type Keys = Parameters<typeof useHotkeys>

/** Whether single-key shortcuts are enabled; stored in this browser. */
export const useSingleKeyShortcuts = () =>
  useLocalStorage({ key: 'single-keys', defaultValue: true, getInitialValueInEffect: false })

/** Like `useHotkeys`, for keys without Ctrl or Alt. */
export function useShortcuts(keys: Keys[0], notFrom?: Keys[1]) {
  const [on] = useSingleKeyShortcuts()
  useHotkeys(on ? keys : [], notFrom)
}
