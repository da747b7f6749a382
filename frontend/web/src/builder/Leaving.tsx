import { Button, Group, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { Dialog } from '../parts/Dialog'
import { useWork } from './context'

/** Who leaves with unsaved changes is asked; the browser asks in its own words. */
export function Leaving() {
  const { dirty, sound, form, saving } = useWork()
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
        What you wrote is not saved yet. If you leave without saving, it waits here for you until you close
        this tab.
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
          Stay
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
