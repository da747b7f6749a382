import { ActionIcon, Box, Popover, SegmentedControl, Stack, Switch, Text, Tooltip } from '@mantine/core'
import {
  IconAdjustments,
  IconArrowsMaximize,
  IconArrowsMinimize,
  IconRotate,
  IconWand,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type EditorSettings, SIZES, TABS } from './useEditorSettings'

interface Props {
  settings: EditorSettings
  onSettings: (settings: EditorSettings) => void
  full: boolean
  onFull: () => void
  onFormat: () => void
  /** Absent while the text is the starter. */
  onReset?: () => void
}

/** Actions on the whole text, and the editor's settings. */
export function EditorToolbar({ settings, onSettings, full, onFull, onFormat, onReset }: Props) {
  return (
    <>
      <Tool name="Format (Ruff)" onClick={onFormat}>
        <IconWand size={17} />
      </Tool>
      <Tool name="Reset code (undo with Ctrl+Z)" onClick={onReset}>
        <IconRotate size={17} />
      </Tool>
      <Popover position="bottom-end" width={270} trapFocus shadow="md">
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" aria-label="Editor settings" title="Editor settings">
            <IconAdjustments size={17} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          <Stack gap="sm">
            <Choice
              name="Font size"
              value={settings.size}
              values={SIZES}
              onChange={size => onSettings({ ...settings, size })}
            />
            <Choice
              name="Indent width"
              value={settings.tab}
              values={TABS}
              onChange={tab => onSettings({ ...settings, tab })}
            />
            <Switch
              label="Vim keys"
              checked={settings.vim}
              onChange={event => onSettings({ ...settings, vim: event.currentTarget.checked })}
            />
          </Stack>
        </Popover.Dropdown>
      </Popover>
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
    <Tooltip label={name}>
      <ActionIcon variant="subtle" color="gray" aria-label={name} disabled={!onClick} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

function Choice(props: { name: string; value: number; values: number[]; onChange: (value: number) => void }) {
  return (
    <div>
      <Text size="sm" mb={4}>
        {props.name}
      </Text>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={props.name}
        value={String(props.value)}
        data={props.values.map(String)}
        onChange={value => props.onChange(Number(value))}
      />
    </div>
  )
}
