import { Container, Text, Title } from '@mantine/core'
import type { Participation } from '../api/taking'
import { ItemList } from './ItemList'
import { Rules } from './Rules'
import { itemsOf } from './states'
import { hourOf } from './time'

/** Everything that there is to do, and what was said before the start. */
export function Overview({ found }: { found: Participation }) {
  const points = itemsOf(found).reduce((sum, item) => sum + item.points, 0)
  return (
    <Container size="md" py="xl">
      <Text c="dimmed">{found.team}</Text>
      <Title order={1}>{found.assessment}</Title>
      <Text mt={6}>
        {points} points, until {hourOf(found.deadline)}. Go through the items in any order; what you write is
        saved by itself, and only what you submit or leave in an editor counts.
      </Text>
      {found.given_back_s > 0 && (
        <Text mt={6} c="dimmed">
          {Math.ceil(found.given_back_s / 60)} min were given back to you for time lost through no fault of
          yours.
        </Text>
      )}
      <ItemList found={found} />
      <Rules told={found} />
    </Container>
  )
}
