import { Tabs, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { api, type Schemas, unwrap } from '@/api/client'
import { AnswerEditor, SubmitShortcutHint, workspaceStyles } from '@/features/challenges'
import { useEditorSettings } from '@/features/editor'
import { type Judging, JudgingResults, useDevice, useFollowedSubmission } from '@/features/judging'
import { VERDICTS } from '@/shared/verdicts'
import type { ConnectionState, RoomConnection } from './connection/RoomConnection'
import { sharedText, textOf } from './connection/sharedText'
import css from './Rooms.module.css'
import { loadSent, type Room, roomKey, type Sent } from './requests'

interface Props {
  room: Room
  challenge: Schemas['ChallengeView']
  connection: RoomConnection
  state: ConnectionState
}

/** The shared editor of the challenge that is shown, and the results that everybody sees. */
export function RoomWorkspace({ room, challenge, connection, state }: Props) {
  const [settings, setSettings] = useEditorSettings()
  const shared = useMemo(() => sharedText(connection, room.position), [connection, room.position])
  const { device, choice } = useDevice(challenge)
  const sent = room.sent.filter(each => each.position === room.position)
  const { judging, chosen, choose, send } = useJudging(room, sent, connection)
  const [judged, setJudged] = useState('')
  const watches = room.role === 'observer'
  return (
    <AnswerEditor
      text=""
      shared={shared}
      label="Shared code"
      settings={settings}
      onSettings={setSettings}
      state={judging}
      judged={judged}
      onSend={kind => {
        setJudged(textOf(connection, room.position).toString())
        send.mutate({ kind, device })
      }}
      closed={watches || state.phase === 'refused'}
      samples={challenge.samples.length > 0}
      saveStatus={watches && <Text size="sm">You are watching.</Text>}
      aside={
        <>
          {choice}
          {!watches && <SubmitShortcutHint />}
        </>
      }
    >
      <Tabs value="results" className={workspaceStyles.results}>
        <Tabs.List className={workspaceStyles.panes}>
          <Tabs.Tab value="results">Results</Tabs.Tab>
          <Runs room={room} sent={sent} chosen={chosen} onChoose={choose} />
        </Tabs.List>
        <Tabs.Panel value="results" tabIndex={0}>
          <JudgingResults state={judging} />
        </Tabs.Panel>
      </Tabs>
    </AnswerEditor>
  )
}

/** Sends the shared code, and follows the submission that is chosen: the newest one, until somebody picks another one. */
function useJudging(room: Room, sent: Sent[], connection: RoomConnection) {
  const client = useQueryClient()
  const [picked, setPicked] = useState('')
  const newest = sent[0]?.submission.id ?? ''
  const before = useRef(newest)
  useEffect(() => {
    if (before.current !== newest) setPicked('')
    before.current = newest
  }, [newest])
  const send = useMutation({
    mutationFn: async (body: { kind: 'run' | 'submit'; device: Sent['submission']['device'] }) => {
      await connection.untilSaved()
      const params = { path: { room_id: room.id } }
      return unwrap(api.POST('/api/rooms/{room_id}/submissions', { params, body }))
    },
    onSuccess: () => setPicked(''),
  })
  const chosen = sent.find(each => each.submission.id === picked) ?? sent[0]
  const followed = useFollowedSubmission(
    chosen && {
      ...chosen.submission,
      address: `/api/rooms/${room.id}/submissions/${chosen.submission.id}`,
      load: async () => {
        const end = await loadSent(room.id, chosen.submission.id)
        // The list of submissions shows the verdict too.
        client.invalidateQueries({ queryKey: roomKey(room.id) })
        return end
      },
    },
  )
  return { judging: stateOf(send, followed), chosen: chosen?.submission.id, choose: setPicked, send }
}

interface Sending {
  isPending: boolean
  error: Error | null
  variables: { kind: 'run' | 'submit' } | undefined
}

function stateOf({ isPending, error, variables }: Sending, followed: Judging): Judging {
  if (isPending) return { phase: 'sending', tests: [], ...(variables && { kind: variables.kind }) }
  return error ? { phase: 'refused', tests: [], error } : followed
}

interface RunsProps {
  room: Room
  sent: Sent[]
  chosen: string | undefined
  onChoose: (id: string) => void
}

/** The submissions of this challenge, to choose the one whose results are shown. */
function Runs({ room, sent, chosen, onChoose }: RunsProps) {
  if (sent.length < 2) return null
  const nameOf = (id: string | null) => room.people.find(each => each.id === id)?.name ?? 'Somebody'
  return (
    <select
      className={css.runs}
      aria-label="Results of"
      value={chosen}
      onChange={event => onChoose(event.currentTarget.value)}
    >
      {sent.map(({ submission, at, by }) => (
        <option key={submission.id} value={submission.id}>
          {clock.format(new Date(at))} {submission.kind === 'run' ? 'samples' : 'submitted'} by {nameOf(by)}
          {submission.verdict ? `: ${VERDICTS[submission.verdict].name}` : ''}
        </option>
      ))}
    </select>
  )
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
