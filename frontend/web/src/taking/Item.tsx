import { Button, Container, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type ItemCard, item, type Participation, type Section } from '../api/taking'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { ChallengeItem } from './ChallengeItem'
import type { Keepers } from './keepers'
import { QuizItem } from './QuizItem'
import { isSealed, sectionOf } from './states'
import { duration, useLeft } from './time'

interface Props {
  found: Participation
  card: ItemCard
  keepers: Keepers
  over: boolean
  onNews: () => void
}

/** One item: opened by looking at it, but not before one knows what that begins. */
export function Item({ found, card, keepers, over, onNews }: Props) {
  const section = sectionOf(found, card.position)
  const [agreed, setAgreed] = useState(false)
  const sealed = isSealed(section) && !agreed
  const query = useQuery({ ...item(found.id, card.position), enabled: !sealed })
  const ended = useLeft(section?.deadline ?? found.deadline) === 0
  useTitle(card.title)
  const isNew = query.data !== undefined && card.opened_at === null
  useEffect(() => {
    if (isNew) onNews()
  }, [isNew, onNews])
  if (sealed && section) return <Gate section={section} onOpen={() => setAgreed(true)} />
  const opened = query.data
  if (opened?.challenge && opened.draft)
    return (
      <ChallengeItem
        participation={found}
        opened={opened}
        challenge={opened.challenge}
        keeper={keepers.of(opened)}
        keepers={keepers}
        over={over}
        ended={ended}
        deadline={section?.deadline ?? found.deadline}
        onNews={onNews}
      />
    )
  return (
    <Container size="sm" py="xl">
      <Loaded page query={query}>
        {() => <QuizItem participation={found} card={card} closed={over || ended} onNews={onNews} />}
      </Loaded>
    </Container>
  )
}

function Gate({ section, onOpen }: { section: Section; onOpen: () => void }) {
  return (
    <Container size="xs" py={{ base: 'xl', sm: 60 }}>
      <Title order={1} fz="1.7rem" mb="md">
        {section.title}
      </Title>
      <Text>
        This section has {duration(section.minutes ?? 0)} of its own. They begin when you open it, and end
        even if the assessment has time left.
      </Text>
      <Button mt="lg" onClick={onOpen}>
        Open the section
      </Button>
    </Container>
  )
}
