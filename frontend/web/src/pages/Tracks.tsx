import { Container, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { tracks } from '../api/queries'
import { TrackCard } from '../parts/Cards'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import css from './Home.module.css'

export function Component() {
  useTitle('Tracks')
  return (
    <Container size="lg" py="xl">
      <Title order={1}>Tracks</Title>
      <Text c="dimmed" mt={6} mb="xl">
        Topics in an order in which each one rests on those before it.
      </Text>
      <Loaded query={useQuery(tracks)}>
        {items => (
          <div className={css.grid}>
            {items.map(each => (
              <TrackCard key={each.id} track={each} />
            ))}
          </div>
        )}
      </Loaded>
    </Container>
  )
}
