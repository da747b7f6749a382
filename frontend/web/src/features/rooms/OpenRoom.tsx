import { Alert, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { SplitPane, workspaceStyles } from '@/features/challenges'
import { CandidateFrame } from '@/features/participations'
import { useConnectionState, useRoomConnection } from './connection/useRoomConnection'
import { InterviewerBar } from './InterviewerBar'
import { RoomReading } from './RoomReading'
import css from './Rooms.module.css'
import { RoomTools } from './RoomTools'
import { RoomWorkspace } from './RoomWorkspace'
import { type Room, roomKey } from './requests'

/** A room while the interview goes on. */
export function OpenRoom({ room }: { room: Room }) {
  const connection = useRoomConnection(room.id)
  const state = useConnectionState(connection)
  const client = useQueryClient()
  const interviews = room.role === 'interviewer'
  // After a refusal or the end, reload the room: it says why.
  useEffect(() => {
    if (state.phase === 'ended' || state.phase === 'refused')
      client.invalidateQueries({ queryKey: roomKey(room.id) })
  }, [state.phase, client, room.id])
  return (
    <CandidateFrame name={room.title} tools={<RoomTools room={room} state={state} />}>
      <div className={interviews ? css.withBar : undefined}>
        {interviews && <InterviewerBar room={room} />}
        {state.phase === 'refused' && (
          <Alert color="red" variant="light" radius={0} role="alert">
            {state.reason} What you write from now on is not saved.
          </Alert>
        )}
        <SplitPane
          title={room.challenge?.title ?? room.title}
          left={<RoomReading room={room} />}
          right={
            room.challenge && connection ? (
              <RoomWorkspace
                key={room.position}
                room={room}
                challenge={room.challenge}
                connection={connection}
                state={state}
              />
            ) : (
              <section className={workspaceStyles.right} aria-label="Shared code">
                <Text c="dimmed" p="lg">
                  The editor opens with the first challenge.
                </Text>
              </section>
            )
          }
        />
      </div>
    </CandidateFrame>
  )
}
