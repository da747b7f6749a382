import { Accordion, Anchor, Container, List, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { track } from '@/api/queries'
import { TopicCard } from '@/features/catalogue'
import { statusStyles as list, NextChallenge, SolvedCount } from '@/features/progress'
import { useTitle } from '@/shared/hooks/useTitle'
import { Inline } from '@/shared/markdown/Markdown'
import css from '@/shared/ui/Page.module.css'
import { Loaded } from '@/shared/ui/QueryStates'

export function Component() {
  const { id = '' } = useParams()
  const query = useQuery(track(id))
  useTitle(query.data?.title)
  return (
    <Container size="lg" py="xl">
      <Loaded page query={query}>
        {found => <Way track={found} />}
      </Loaded>
    </Container>
  )
}

function Way({ track: found }: { track: Schemas['TrackView'] }) {
  const before = found.stages.map((_, place) =>
    found.stages.slice(0, place).reduce((sum, stage) => sum + stage.topics.length, 0),
  )
  return (
    <>
      <Title order={1}>{found.title}</Title>
      <Text mt={8} size="lg" maw="44rem">
        {found.summary}
      </Text>
      <Text mt={4} mb="xl" c="dimmed" maw="44rem">
        <Inline source={found.scope} />
        {found.prerequisites.length > 0 && ' Prerequisites: '}
        {found.prerequisites.map((each, place) => (
          <span key={each.id}>
            {place > 0 && ', '}
            <Anchor component={Link} to={`/tracks/${each.id}`}>
              {each.title}
            </Anchor>
          </span>
        ))}
      </Text>
      <NextChallenge track={found.id} />
      {found.stages.map((stage, place) => (
        <section key={stage.title} style={{ marginBottom: '2.5rem' }}>
          <Title order={2} fz="1.3rem" mb={stage.optional ? 4 : 'md'}>
            {stage.title}
          </Title>
          {stage.optional && (
            <Text c="dimmed" mb="md">
              Optional: you can finish the track without these topics.
            </Text>
          )}
          <div className={css.grid}>
            {stage.topics.map((each, index) => (
              <TopicCard key={each.id} topic={each} number={(before[place] ?? 0) + index + 1} />
            ))}
          </div>
        </section>
      ))}
      <Title order={2} fz="1.3rem" mb="md">
        Self-check
      </Title>
      <Text mb="md">
        <Anchor component={Link} to={`/cards?deck=track&name=${found.id}`}>
          Study the cards for this track
        </Anchor>
      </Text>
      <Accordion variant="separated">
        {found.review.map(each => (
          <Accordion.Item key={each.id} value={each.id}>
            <Accordion.Control>
              <span className={list.item}>
                {each.title} <SolvedCount slugs={slugsOf(found, each.id)} />
              </span>
            </Accordion.Control>
            <Accordion.Panel>
              <List>
                {each.lines.map(line => (
                  <List.Item key={line}>
                    <Inline source={line} />
                  </List.Item>
                ))}
              </List>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </>
  )
}

const slugsOf = (found: Schemas['TrackView'], topic: string) =>
  found.stages.flatMap(stage => stage.topics).find(each => each.id === topic)?.challenges ?? []
