import { Button } from '@mantine/core'
import { IconCards, IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { addTopic, topicCards, useCards } from '../api/cards'
import { useMe } from '../api/queries'

/** Puts a topic's cards among one's own; once they are, it leads to them. */
export function TopicCards({ id }: { id: string }) {
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
