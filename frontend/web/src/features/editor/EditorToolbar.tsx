import { ActionIcon, Box } from '@mantine/core'
import {
  IconAdjustments,
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconRotate,
  IconWand,
} from '@tabler/icons-react'
import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react'
import type { EditorSettings } from './useEditorSettings'

const load = () => import('./EditorSettingsMenu')
const EditorSettingsMenu = lazy(load)

interface Props {
  settings: EditorSettings
  onSettings: (settings: EditorSettings) => void
  full: boolean
  onFull: () => void
  onFormat: () => void
  /** Absent while the text is the starter. */
  onReset?: () => void
}

const settingsButton = (props: ComponentProps<'button'>) => (
  <ActionIcon {...props} variant="subtle" color="gray" aria-label="Editor settings" title="Editor settings">
    <IconAdjustments size={17} />
  </ActionIcon>
)

/** Actions on the whole text, and the editor's settings. */
export function EditorToolbar({ settings, onSettings, full, onFull, onFormat, onReset }: Props) {
  const [used, setUsed] = useState(false)
  return (
    <>
      <Tool name="Format (Ruff)" onClick={onFormat}>
        <IconWand size={17} />
      </Tool>
      <Tool name="Reset code (undo with Ctrl+Z)" onClick={onReset}>
        <IconRotate size={17} />
      </Tool>
      {used ? (
        <Suspense fallback={settingsButton({})}>
          <EditorSettingsMenu settings={settings} onSettings={onSettings} button={settingsButton} />
        </Suspense>
      ) : (
        settingsButton({ onClick: () => setUsed(true), onPointerEnter: load, onFocus: load })
      )}
      <Box visibleFrom="md">
        <Tool name={full ? 'Show statement' : 'Expand editor'} onClick={onFull}>
          {full ? <IconArrowsMinimize size={17} /> : <IconArrowsMaximize size={17} />}
        </Tool>
      </Box>
    </>
  )
}

function Tool({ name, onClick, children }: { name: string; onClick?: () => void; children: ReactNode }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={name}
      title={name}
      disabled={!onClick}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  )
}
