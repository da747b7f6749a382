import { Container, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { search } from '../api/queries'
import { Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { address } from '../search/address'
import { FoundItem } from '../search/FoundItem'
import css from './Search.module.css'

const PAUSE_MS = 200
const MANY = 50

/** All that a search finds; what is looked for is in the address. */
export function Component() {
  const [params, setParams] = useSearchParams()
  const asked = params.get('q') ?? ''
  const [text, setText] = useState(asked)
  const [q] = useDebouncedValue(text.trim(), PAUSE_MS)
  useTitle(q ? `${q}, found` : 'Search')
  // A search from the header, while this page is open, comes by the address.
  useEffect(() => setText(asked), [asked])
  useEffect(() => {
    setParams(q ? { q } : {}, { replace: true })
  }, [q, setParams])
  const query = useQuery(search(q, MANY))
  return (
    <Container size="md" py="xl">
      <Title order={1} mb="md">
        Search
      </Title>
      <TextInput
        size="md"
        label="Words, or an error message"
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
                {told(total, items.length)}
              </Text>
              <ol className={css.list}>
                {items.map(found => (
                  <li key={`${found.kind} ${found.id}`}>
                    <Link className={css.found} to={address(found)}>
                      <FoundItem found={found} />
                    </Link>
                  </li>
                ))}
              </ol>
            </>
          )}
        </Loaded>
      ) : (
        <Text c="dimmed" size="sm" my="md">
          Challenges, topics, quizzes and tracks are searched, with all that their pages say.
        </Text>
      )}
    </Container>
  )
}

function told(total: number, shown: number): string {
  if (total === 0) return 'Nothing has these words. Try fewer of them, or the name of a function.'
  return total > shown ? `The best ${shown} of ${total}` : `${total} found`
}
