import { Popover, SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import type { ComponentProps, ReactElement } from 'react'
import { useOpenOnMount } from '@/shared/ui/useOpenOnMount'
import { type EditorSettings, SIZES, TABS } from './useEditorSettings'

interface Props {
  settings: EditorSettings
  onSettings: (settings: EditorSettings) => void
  button: (props: ComponentProps<'button'>) => ReactElement
}

/** The button with the editor's settings. */
export default function EditorSettingsMenu({ settings, onSettings, button }: Props) {
  const { opened, setOpened, target } = useOpenOnMount()
  return (
    <Popover
      position="bottom-end"
      width={270}
      trapFocus
      returnFocus
      shadow="md"
      opened={opened}
      onChange={setOpened}
    >
      <Popover.Target>{button({ ref: target, onClick: () => setOpened(!opened) })}</Popover.Target>
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
