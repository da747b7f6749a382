import { Button, Container, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { search } from '@/api/queries'
import { pluralize } from '@/shared/format/numbers'
import { useTitle } from '@/shared/hooks/useTitle'
import { Loaded } from '@/shared/ui/QueryStates'
import { resultAddress } from './resultAddress'
import css from './SearchPage.module.css'
import { SearchResult } from './SearchResult'

const PAUSE_MS = 200
const MANY = 50
// The API returns no more.
const MOST = 1000

/** All results of a search. The query is part of the URL. */
export function Component() {
  const [params, setParams] = useSearchParams()
  const wanted = params.get('q') ?? ''
  const [text, setText] = useState(wanted)
  const [q] = useDebouncedValue(text.trim(), PAUSE_MS)
  useTitle(q ? `Search: ${q}` : 'Search')
  // A search from the header changes the URL while this page is open.
  useEffect(() => setText(wanted), [wanted])
  useEffect(() => {
    setParams(q ? { q } : {}, { replace: true })
  }, [q, setParams])
  // Another search begins with its first results.
  const [more, setMore] = useState({ q, limit: MANY })
  const limit = more.q === q ? more.limit : MANY
  const query = useQuery(search(q, limit))
  return (
    <Container size="md" py="xl">
      <Title order={1} mb="md">
        Search
      </Title>
      <TextInput
        size="md"
        label="Search"
        leftSection={<IconSearch size={18} />}
        value={text}
        maxLength={300}
        onChange={event => setText(event.currentTarget.value)}
      />
      {q ? (
        <Loaded query={query}>
          {({ items, total }) => (
            <>
              <Text c="dimmed" size="sm" my="md" role="status">
                {resultCount(total, items.length)}
              </Text>
              <ol className={css.list}>
                {items.map(found => (
                  <li key={`${found.kind} ${found.id}`}>
                    <Link className={css.found} to={resultAddress(found)}>
                      <SearchResult found={found} />
                    </Link>
                  </li>
                ))}
              </ol>
              {items.length < Math.min(total, MOST) && (
                <Button
                  mt="md"
                  variant="default"
                  loading={query.isFetching}
                  onClick={() => setMore({ q, limit: limit + MANY })}
                >
                  Show more
                </Button>
              )}
            </>
          )}
        </Loaded>
      ) : (
        <Text c="dimmed" size="sm" my="md">
          Searches the full text of challenges, topics, quizzes and tracks.
        </Text>
      )}
    </Container>
  )
}

function resultCount(total: number, shown: number): string {
  if (total === 0) return 'No results. Try fewer words, or the name of a function.'
  return total > shown ? `Top ${shown} of ${total} results` : pluralize(total, 'result')
}
