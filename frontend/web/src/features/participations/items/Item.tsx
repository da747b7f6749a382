import { Button, Container, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTitle } from '@/shared/hooks/useTitle'
import { Loaded } from '@/shared/ui/QueryStates'
import { formatDuration, useSecondsLeft } from '../clock'
import { type ItemCard, item, type Participation, type Section } from '../requests'
import type { Autosaves } from '../saving/useAutosaves'
import { ChallengeItem } from './ChallengeItem'
import { isUnopenedTimedSection, sectionOf } from './itemStates'
import { QuizItem } from './QuizItem'
import { TextItem } from './TextItem'

interface Props {
  found: Participation
  card: ItemCard
  keepers: Autosaves
  over: boolean
  onNews: () => void
}

/** One item. Viewing it opens it; a section with its own time asks for confirmation first. */
export function Item({ found, card, keepers, over, onNews }: Props) {
  const section = sectionOf(found, card.position)
  const [agreed, setAgreed] = useState(false)
  const sealed = isUnopenedTimedSection(section) && !agreed
  const query = useQuery({ ...item(found.id, card.position), enabled: !sealed })
  const ended = useSecondsLeft(section?.deadline ?? found.deadline) === 0
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
        card={card}
        deadline={section?.deadline ?? found.deadline}
        onNews={onNews}
      />
    )
  if (opened?.question && opened.draft)
    return (
      <TextItem
        participation={found}
        card={card}
        opened={opened}
        question={opened.question}
        keeper={keepers.of(opened)}
        keepers={keepers}
        closed={over || ended}
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
        This section has its own time limit: {formatDuration(section.minutes ?? 0)}. The clock starts when you
        open the section. When the time is up, the section closes, even if the assessment has time left.
      </Text>
      <Button mt="lg" onClick={onOpen}>
        Open section
      </Button>
    </Container>
  )
}
