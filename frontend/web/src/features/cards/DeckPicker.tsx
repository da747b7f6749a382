import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { topics, tracks } from '@/api/queries'
import type { Deck } from './requests'

const KINDS: Deck['deck'][] = ['all', 'mine', 'section', 'track', 'missed']

/** The deck that the URL names. */
export function deckOf(params: URLSearchParams): Deck {
  const deck = KINDS.find(kind => kind === params.get('deck')) ?? 'all'
  return { deck, name: params.get('name') ?? '' }
}

/** Selects which cards to review. */
export function DeckPicker({ value, onChange }: { value: Deck; onChange: (deck: Deck) => void }) {
  const sections = [...new Set((useQuery(topics).data ?? []).map(each => each.section))].sort()
  const ways = useQuery(tracks).data ?? []
  return (
    <Select
      label="Deck"
      w={260}
      allowDeselect={false}
      value={`${value.deck}:${value.name}`}
      data={[
        { value: 'all:', label: 'All cards' },
        { value: 'mine:', label: 'My cards' },
        { value: 'missed:', label: 'Quiz questions I got wrong' },
        { group: 'Tracks', items: ways.map(way => ({ value: `track:${way.id}`, label: way.title })) },
        { group: 'Sections', items: sections.map(name => ({ value: `section:${name}`, label: name })) },
      ]}
      onChange={chosen => {
        const [kind = 'all', name = ''] = (chosen ?? '').split(':')
        onChange(deckOf(new URLSearchParams({ deck: kind, name })))
      }}
    />
  )
}
