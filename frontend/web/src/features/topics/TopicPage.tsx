import { Anchor, Button, Container, Divider, List, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { topic } from '@/api/queries'
import { AddTopicCards } from '@/features/cards'
import { ChallengeCard } from '@/features/catalogue'
import { ReportButton } from '@/features/feedback'
import { pluralize } from '@/shared/format/numbers'
import { useTitle } from '@/shared/hooks/useTitle'
import { Code, Inline, Markdown } from '@/shared/markdown/Markdown'
import { Difficulty } from '@/shared/ui/Difficulty'
import { Loaded } from '@/shared/ui/QueryStates'
import css from './TopicPage.module.css'

type Found = Schemas['TopicView']

export function Component() {
  const { id = '' } = useParams()
  const query = useQuery(topic(id))
  useTitle(query.data?.title)
  return (
    <Container size="lg" py="xl">
      <Loaded page query={query}>
        {found => <Page topic={found} />}
      </Loaded>
    </Container>
  )
}

function Page({ topic: found }: { topic: Found }) {
  return (
    <article>
      <Text c="dimmed" size="sm">
        <Anchor component={Link} to={`/catalogue?view=topics&section=${found.section}`} c="inherit">
          {found.section}
        </Anchor>
      </Text>
      <Title order={1} maw="46rem">
        {found.title}
      </Title>
      <div className={css.page}>
        <div>
          <p className={css.answer}>
            <Inline source={found.answer} />
          </p>
          <Markdown source={found.page} />
          <Pitfalls topic={found} />
          <Versions topic={found} />
          <ReportButton about="topic" target={found.id} mt="xl" />
        </div>
        <aside className={css.side} aria-label="About this topic">
          <Difficulty level={found.difficulty} />
          {found.questions > 0 && (
            <Button component={Link} to={`/topics/${found.id}/quiz`} variant="light" fullWidth>
              Quiz: {pluralize(found.questions, 'question')}
            </Button>
          )}
          <AddTopicCards id={found.id} />
          {found.items.map(each => (
            <ChallengeCard key={each.slug} challenge={each} />
          ))}
          <Divider />
          <Fact title="What it is for" text={found.purpose} />
          <Fact title="Why interviewers ask" text={found.why} />
          <Fact title="What a good answer shows" text={found.skill} />
          <div>
            <Title order={2} fz="0.95rem" mb={4}>
              How it is asked
            </Title>
            <List size="sm" spacing={4} c="dimmed">
              {found.phrasings.map(each => (
                <List.Item key={each}>
                  <Inline source={each} />
                </List.Item>
              ))}
            </List>
          </div>
          <Links title="Related topics" items={found.related} to="/topics" />
          <Links title="Part of" items={found.tracks} to="/tracks" />
        </aside>
      </div>
    </article>
  )
}

function Pitfalls({ topic: found }: { topic: Found }) {
  if (!found.pitfalls.length) return null
  return (
    <section>
      <Title order={2} fz="1.35rem" mt="xl" mb="sm">
        Pitfalls
      </Title>
      {found.pitfalls.map(each => (
        <div key={each.title} style={{ marginBottom: '1.75rem' }}>
          <Title order={3} fz="1.05rem" mb={6}>
            <Inline source={each.title} />
          </Title>
          <div className={css.pair}>
            <div>
              <span className={css.label} style={{ color: 'var(--g-bad)' }}>
                ✗ wrong{each.raises && `: raises ${each.raises}`}
              </span>
              <Code source={each.wrong} />
            </div>
            <div>
              <span className={css.label} style={{ color: 'var(--g-good)' }}>
                ✓ right
              </span>
              <Code source={each.right} />
            </div>
          </div>
          <Text size="sm" c="dimmed" mt={4}>
            <Inline source={each.why} />
          </Text>
        </div>
      ))}
    </section>
  )
}

function Versions({ topic: found }: { topic: Found }) {
  if (!found.versions.length) return null
  return (
    <section>
      <Title order={2} fz="1.35rem" mt="xl" mb="sm">
        PyTorch versions
      </Title>
      <List>
        {found.versions.map(each => (
          <List.Item key={each.note}>
            <b>{each.since}</b>: <Inline source={each.note} />
          </List.Item>
        ))}
      </List>
    </section>
  )
}

function Fact({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <Title order={2} fz="0.95rem" mb={4}>
        {title}
      </Title>
      <Text size="sm" c="dimmed">
        <Inline source={text} />
      </Text>
    </div>
  )
}

function Links({ title, items, to }: { title: string; items: Schemas['TopicLink'][]; to: string }) {
  if (!items.length) return null
  return (
    <div>
      <Title order={2} fz="0.95rem" mb={4}>
        {title}
      </Title>
      <List size="sm" listStyleType="none" spacing={2}>
        {items.map(each => (
          <List.Item key={each.id}>
            <Anchor component={Link} to={`${to}/${each.id}`}>
              {each.title}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </div>
  )
}
