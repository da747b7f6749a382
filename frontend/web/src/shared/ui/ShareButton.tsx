import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconShare } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import type { Shared } from './ShareDialog'

const ShareDialog = lazy(() => import('./ShareDialog'))

/** A button that shows how to follow a page in a feed reader, and how to show its image on another site. */
export function ShareButton(shared: Shared) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" size="sm" leftSection={<IconShare size={16} />} onClick={open}>
        Share
      </Button>
      {opened && (
        <Suspense>
          <ShareDialog {...shared} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
