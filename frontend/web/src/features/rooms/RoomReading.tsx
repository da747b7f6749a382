import { Tabs, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Given, Limits, Samples } from '@/features/challenges'
import { CommentText, Markdown } from '@/shared/markdown/Markdown'
import { PrivateNotes } from './PrivateNotes'
import css from './Rooms.module.css'
import type { Room } from './requests'

/** The left half of a room: the statement and, for interviewers, what only they see. */
export function RoomReading({ room }: { room: Room }) {
  const interviews = room.role === 'interviewer'
  const [tab, setTab] = useState<string | null>('statement')
  const { challenge } = room
  return (
    <>
      <Title order={1} fz="1.7rem" mb="sm">
        {challenge?.title ?? (interviews ? 'No challenge is shown yet' : 'The interview starts soon')}
      </Title>
      {!challenge && !interviews && (
        <Text c="dimmed">
          The interviewers have not shown a challenge yet. This page updates automatically.
        </Text>
      )}
      {(challenge || interviews) && (
        <Tabs value={challenge ? tab : 'private'} onChange={setTab} keepMounted={false}>
          <Tabs.List mb="md">
            {challenge && <Tabs.Tab value="statement">Statement</Tabs.Tab>}
            {challenge?.given && <Tabs.Tab value="given">given.py</Tabs.Tab>}
            {challenge && <Tabs.Tab value="samples">Samples</Tabs.Tab>}
            {interviews && <Tabs.Tab value="private">Notes and rubric</Tabs.Tab>}
          </Tabs.List>
          {challenge && (
            <>
              <Tabs.Panel value="statement">
                {room.extension && <Extension text={room.extension} />}
                <Markdown source={challenge.statement} />
                <Limits challenge={challenge} />
              </Tabs.Panel>
              <Tabs.Panel value="given">
                <Given challenge={challenge} />
              </Tabs.Panel>
              <Tabs.Panel value="samples">
                <Samples challenge={challenge} />
              </Tabs.Panel>
            </>
          )}
          {interviews && (
            <Tabs.Panel value="private">
              <PrivateNotes roomId={room.id} />
            </Tabs.Panel>
          )}
        </Tabs>
      )}
    </>
  )
}

function Extension({ text }: { text: string }) {
  return (
    <section className={css.extension} aria-label="Added by the interviewers" aria-live="polite">
      <Text size="sm" fw={600} mb={4}>
        Added by the interviewers
      </Text>
      <CommentText source={text} />
    </section>
  )
}
