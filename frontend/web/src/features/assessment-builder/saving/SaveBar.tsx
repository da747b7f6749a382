import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { ArchiveDialog } from '@/features/assessments'
import { ConfirmDialog } from '@/shared/forms/ConfirmDialog'
import css from '../Builder.module.css'
import { usePlanContext } from '../context'
import { useAssessmentActions } from '../useAssessmentActions'
import { OpenDialog } from './OpenDialog'
import { RenameDialog } from './RenameDialog'
import { SaveOpenPlan } from './SaveOpenPlan'

/** The save state and the actions on the plan. The bar stays in view. */
export function SaveBar() {
  const { teamId, assessment, dirty, save, asking, saving, removed, change, restored, discard } =
    usePlanContext()
  const [dialog, setDialog] = useState<'open' | 'rename' | 'archive' | 'discard' | null>(null)
  const { clone, error } = useAssessmentActions(usePlanContext())
  const close = () => setDialog(null)
  return (
    <div className={css.bar}>
      <div aria-live="polite">
        <Text size="sm" fw={600}>
          {saving.isPending
            ? 'Saving'
            : dirty
              ? 'Unsaved changes'
              : assessment.version
                ? 'Saved'
                : 'No plan yet'}
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
            You have unsaved changes from an earlier visit.{' '}
            <button type="button" className={css.inline} onClick={() => setDialog('discard')}>
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
        <Button onClick={save} loading={saving.isPending} disabled={!dirty} title="Ctrl+S">
          Save
        </Button>
        {assessment.state === 'draft' && (
          <Button variant="default" onClick={() => setDialog('open')}>
            Open for candidates
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
            <Menu.Item onClick={() => setDialog('archive')}>Archive</Menu.Item>
            <Menu.Item disabled={!dirty} onClick={() => setDialog('discard')}>
              Discard changes
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <Frozen />
      {asking && <SaveOpenPlan />}
      {dialog === 'open' && <OpenDialog onClose={close} />}
      {dialog === 'rename' && <RenameDialog onClose={close} />}
      {dialog === 'archive' && <ArchiveDialog teamId={teamId} assessmentId={assessment.id} onClose={close} />}
      {dialog === 'discard' && (
        <ConfirmDialog
          title="Discard your changes?"
          label="Discard changes"
          onClose={close}
          onSend={() => {
            discard()
            close()
          }}
          busy={false}
          grave
        >
          <Text size="sm">The plan becomes the saved one again. Your unsaved changes are lost.</Text>
        </ConfirmDialog>
      )}
    </div>
  )
}

/** Explains what saving changes once a candidate has started. */
function Frozen() {
  const { assessment } = usePlanContext()
  if (!assessment.frozen) return null
  return (
    <Text size="sm" c="dimmed" className={css.frozen}>
      A candidate has started with version {assessment.number}. Saving creates version {assessment.number + 1}
      , and candidates who have started keep theirs.
    </Text>
  )
}
