import { Button, type ButtonProps } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { About } from './reportStates'

const Dialog = lazy(() => import('./ReportDialog'))

/** A quiet button that loads its form when clicked. */
export function ReportButton({ about, target, ...look }: About & ButtonProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        c="dimmed"
        onClick={() => setOpen(true)}
        {...look}
      >
        {about === 'comment' || about === 'answer' ? 'Report' : 'Report an error'}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <Dialog about={about} target={target} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
