import { Container, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { tracks } from '@/api/queries'
import { TrackCard } from '@/features/catalogue'
import { useTitle } from '@/shared/hooks/useTitle'
import css from '@/shared/ui/Page.module.css'
import { Loaded } from '@/shared/ui/QueryStates'

export function Component() {
  useTitle('Tracks')
  return (
    <Container size="lg" py="xl">
      <Title order={1}>Tracks</Title>
      <Text c="dimmed" mt={6} mb="xl">
        Topics in order, each building on those before it.
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
