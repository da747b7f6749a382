import { Button, Container, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import { search } from '@/api/queries'
import { useTitle } from '@/shared/hooks/useTitle'
import { resultAddress } from './resultAddress'
import css from './SearchPage.module.css'
import { SearchResult } from './SearchResult'

const SUGGESTIONS = 3

export function Component() {
  return <NotFoundPage />
}

/** For addresses that lead nowhere. Suggests pages that contain the words of the address. `why` says what does not exist. */
export function NotFoundPage({ why, title = 'Page not found' }: { why?: string; title?: string }) {
  useTitle(title)
  const last = useLocation().pathname.split('/').filter(Boolean).at(-1) ?? ''
  const words = last.replace(/[^A-Za-z0-9]+/g, ' ').trim()
  const found = useQuery(search(words, SUGGESTIONS)).data?.items ?? []
  return (
    <Container size="sm" py={96}>
      <Title order={1}>{title}</Title>
      <Text my="md" c="dimmed">
        {why ??
          'It may have been renamed. The search finds parts of names, for example “attention” or “mat1 and mat2”.'}
      </Text>
      {found.length > 0 && (
        <>
          <Title order={2} fz="1.15rem" mb="sm">
            Were you looking for one of these?
          </Title>
          <ul className={css.list}>
            {found.map(each => (
              <li key={`${each.kind} ${each.id}`}>
                <Link className={css.found} to={resultAddress(each)}>
                  <SearchResult found={each} />
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      <Group gap="sm" mt="lg">
        <Button component={Link} to="/catalogue">
          Browse challenges
        </Button>
        <Button component={Link} to="/catalogue?view=topics" variant="default">
          Browse topics
        </Button>
        <Button component={Link} to="/search" variant="default">
          Search
        </Button>
      </Group>
    </Container>
  )
}
