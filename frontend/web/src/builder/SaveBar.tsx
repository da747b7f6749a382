import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import css from './Builder.module.css'
import { useWork } from './context'
import { Opening } from './Opening'
import { Rename } from './Rename'
import { useActs } from './useActs'

/** Whether it is saved, and what can be done with it. It stays in view. */
export function SaveBar() {
  const { assessment, dirty, save, saving, removed, change, restored, discard } = useWork()
  const [dialog, setDialog] = useState<'open' | 'rename' | null>(null)
  const { clone, archive, error } = useActs(useWork())
  const close = () => setDialog(null)
  return (
    <div className={css.bar}>
      <div className={css.told} aria-live="polite">
        <Text size="sm" fw={600}>
          {saving.isPending
            ? 'Saving'
            : dirty
              ? 'Unsaved changes'
              : assessment.version
                ? 'Saved'
                : 'Nothing written yet'}
        </Text>
        {removed && (
          <Text size="sm">
            Removed {removed.what}.{' '}
            <button
              type="button"
              className={css.inline}
              onClick={() => change({ do: 'load', form: removed.form })}
            >
              Undo
            </button>
          </Text>
        )}
        {restored && (
          <Text size="sm">
            These changes are from before.{' '}
            <button type="button" className={css.inline} onClick={discard}>
              Discard them
            </button>
          </Text>
        )}
        {saving.error && !saving.isPending && (
          <Text size="sm" c="var(--g-bad)">
            {saving.error.message}
          </Text>
        )}
        {error && (
          <Text size="sm" c="var(--g-bad)">
            {error.message}
          </Text>
        )}
      </div>
      <div className={css.buttons}>
        <Button onClick={save} loading={saving.isPending} disabled={!dirty} title="Ctrl + S">
          Save
        </Button>
        {assessment.state === 'draft' && (
          <Button variant="default" onClick={() => setDialog('open')}>
            Open
          </Button>
        )}
        <Menu position="bottom-end" width={190}>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label="More actions">
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setDialog('rename')}>Rename</Menu.Item>
            <Menu.Item onClick={() => clone.mutate(undefined)}>Clone</Menu.Item>
            <Menu.Item onClick={() => archive.mutate(undefined)}>Archive</Menu.Item>
            <Menu.Item disabled={!dirty} onClick={discard}>
              Discard changes
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <Frozen />
      {dialog === 'open' && <Opening onClose={close} />}
      {dialog === 'rename' && <Rename onClose={close} />}
    </div>
  )
}

/** What saving does once somebody has started. */
function Frozen() {
  const { assessment } = useWork()
  if (!assessment.frozen) return null
  return (
    <Text size="sm" c="dimmed" className={css.frozen}>
      Somebody has started with version {assessment.number}. Saving makes version {assessment.number + 1}; who
      has started keeps theirs.
    </Text>
  )
}
