import { Button, Input, MultiSelect, SegmentedControl, Select, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { topics, tracks, useGuest } from '@/api/queries'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import css from './Interview.module.css'
import { useResetLockedContent } from './requests'

type Wanted = Schemas['NewInterview']
const LEVELS = [
  { value: 'junior', label: 'Junior' },
  { value: 'mid', label: 'Mid' },
  { value: 'senior', label: 'Senior' },
]
const LENGTHS = ['30', '45', '60'].map(value => ({ value, label: `${value} min` }))
const FOCUSES = [
  { value: 'all', label: 'Everything' },
  { value: 'sections', label: 'Sections' },
  { value: 'track', label: 'A track' },
]

/** Asks for level, length and focus, then starts the interview. */
export function NewInterview() {
  const [level, setLevel] = useState('mid')
  const [minutes, setMinutes] = useState('45')
  const [focus, setFocus] = useState('all')
  const [sections, setSections] = useState<string[]>([])
  const [track, setTrack] = useState('')
  const guest = useGuest()
  const go = useNavigate()
  const client = useQueryClient()
  const resetLocked = useResetLockedContent()
  const known = [...new Set((useQuery(topics).data ?? []).map(each => each.section))].sort()
  const ways = useQuery(tracks).data ?? []
  const begin = useMutation({
    mutationFn: async (body: Wanted) => {
      await guest()
      return unwrap(api.POST('/api/interviews', { body }))
    },
    onSuccess: made => {
      client.invalidateQueries({ queryKey: ['interviews'] })
      resetLocked()
      go(`/interview/${made.id}`)
    },
  })
  return (
    <form
      className={css.choices}
      onSubmit={event => {
        event.preventDefault()
        begin.mutate({
          level: level as Wanted['level'],
          minutes: Number(minutes) as Wanted['minutes'],
          sections: focus === 'sections' ? sections : [],
          track: focus === 'track' ? track : '',
        })
      }}
    >
      <Choice label="Level" data={LEVELS} value={level} onChange={setLevel} />
      <Choice label="Length" data={LENGTHS} value={minutes} onChange={setMinutes} />
      <Choice label="Focus" data={FOCUSES} value={focus} onChange={setFocus} />
      {focus === 'sections' && (
        <MultiSelect label="Sections" data={known} value={sections} onChange={setSections} required />
      )}
      {focus === 'track' && (
        <Select
          label="Track"
          data={ways.map(each => ({ value: each.id, label: each.title }))}
          value={track || null}
          onChange={id => setTrack(id ?? '')}
          required
        />
      )}
      {begin.error && <ErrorMessage error={begin.error} />}
      <div>
        <Button type="submit" size="md" loading={begin.isPending}>
          Start
        </Button>
        <Text size="sm" c="dimmed" mt="xs">
          The clock starts immediately and runs on the server, even while this page is closed.
        </Text>
      </div>
    </form>
  )
}

interface ChoiceProps {
  label: string
  data: { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
}

function Choice({ label, ...rest }: ChoiceProps) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <div>
        <SegmentedControl mt={4} aria-label={label} {...rest} />
      </div>
    </Input.Wrapper>
  )
}
