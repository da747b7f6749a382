import { Button, Group, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { Dialog } from '@/shared/ui/Dialog'
import { usePlanContext } from '../context'

/** Asks before leaving with unsaved changes. On closing the tab, the browser asks in its own words. */
export function UnsavedChangesPrompt() {
  const { dirty, sound, form, saving } = usePlanContext()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [dirty])
  if (blocker.state !== 'blocked') return null
  const saveAndGo = async () => {
    const { conflict } = await saving.mutateAsync(form)
    conflict ? blocker.reset() : blocker.proceed()
  }
  return (
    <Dialog title="Unsaved changes" onClose={() => blocker.reset()}>
      <Text size="sm">
        Your changes are not saved yet. If you leave without saving, they are kept in this tab until you close
        it.
      </Text>
      {saving.error && (
        <Text size="sm" c="var(--g-bad)" mt="sm">
          {saving.error.message}
        </Text>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="subtle" onClick={() => blocker.proceed()}>
          Leave without saving
        </Button>
        <Button variant="default" onClick={() => blocker.reset()}>
          {' '}
          Keep editing{' '}
        </Button>
        {sound && (
          <Button
            data-autofocus
            loading={saving.isPending}
            onClick={() => saveAndGo().catch(() => undefined)}
          >
            Save and leave
          </Button>
        )}
      </Group>
    </Dialog>
  )
}
