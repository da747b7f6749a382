import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'

/** Switches between the light and the dark colour scheme. */
export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const other = scheme === 'dark' ? 'light' : 'dark'
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`Switch to ${other} mode`}
      onClick={() => setColorScheme(other)}
    >
      {scheme === 'dark' ? <IconSun size={19} /> : <IconMoon size={19} />}
    </ActionIcon>
  )
}
