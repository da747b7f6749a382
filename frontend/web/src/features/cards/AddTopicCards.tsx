import { Button } from '@mantine/core'
import { IconCards, IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useMe } from '@/api/queries'
import { addTopic, topicCards, useCards } from './requests'

/** Adds a topic's cards to the user's own; afterwards it links to them. */
export function AddTopicCards({ id }: { id: string }) {
  const known = useMe() !== null
  const { data } = useQuery(topicCards(id, known))
  const add = useCards(addTopic)
  if (data && data.mine >= data.cards)
    return (
      <Button
        component={Link}
        to="/cards?deck=mine"
        variant="subtle"
        fullWidth
        leftSection={<IconCheck size={16} />}
      >
        In your cards
      </Button>
    )
  return (
    <Button
      variant="default"
      fullWidth
      leftSection={<IconCards size={16} />}
      loading={add.isPending}
      onClick={() => add.mutate(id)}
    >
      Add to my cards
    </Button>
  )
}
