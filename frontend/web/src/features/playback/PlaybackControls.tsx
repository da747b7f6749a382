import { ActionIcon, SegmentedControl } from '@mantine/core'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import css from './Playback.module.css'

const SPEEDS = [1, 2, 4, 8, 16]

interface Props {
  playing: boolean
  onToggle: () => void
  speed: number
  onSpeed: (speed: number) => void
  children: ReactNode
}

/** Play, pause and speed. */
export function PlaybackControls({ playing, onToggle, speed, onSpeed, children }: Props) {
  return (
    <div className={css.transport}>
      <ActionIcon size="lg" radius="xl" aria-label={playing ? 'Pause' : 'Play'} onClick={onToggle}>
        {playing ? <IconPlayerPauseFilled size={17} /> : <IconPlayerPlayFilled size={17} />}
      </ActionIcon>
      <SegmentedControl
        size="xs"
        aria-label="Speed"
        value={String(speed)}
        data={SPEEDS.map(each => ({ value: String(each), label: `${each}×` }))}
        onChange={value => onSpeed(Number(value))}
      />
      <div className={css.position}>{children}</div>
    </div>
  )
}
