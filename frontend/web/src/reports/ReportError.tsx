import { Button, type ButtonProps } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { Schemas } from '../api/client'

const Dialog = lazy(() => import('./Dialog'))

export interface About {
  about: Schemas['NewReport']['about']
  /** A slug, a topic's id, or `topic/question`. */
  target: string
}

/** A quiet button; the form behind it comes when it is wanted. */
export function ReportError({ about, target, ...look }: About & ButtonProps) {
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
        Report an error
      </Button>
      {open && (
        <Suspense fallback={null}>
          <Dialog about={about} target={target} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
