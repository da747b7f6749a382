import { Anchor, Container, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { pluralize } from '@/shared/format/numbers'
import { useTitle } from '@/shared/hooks/useTitle'
import { Loaded } from '@/shared/ui/QueryStates'
import { speedBoards } from './requests'
import css from './SpeedBoards.module.css'
import { formatSpeed } from './words'

/** All scored challenges. */
export function Component() {
  useTitle('Speed boards')
  return (
    <Container size="lg" py="xl">
      <Title order={1}>Speed boards</Title>
      <p className={css.lead}>
        Accepted answers to these challenges are measured against a baseline, while the machine judges nothing
        else. Each board ranks everyone’s best answer.
      </p>
      <Loaded query={useQuery(speedBoards)}>
        {items =>
          items.length > 0 ? (
            <ul className={css.boards}>
              {items.map(each => (
                <li key={each.slug}>
                  <Board board={each} />
                </li>
              ))}
            </ul>
          ) : (
            <Text mt="lg">
              This site has no scored challenges.{' '}
              <Anchor component={Link} to="/catalogue" underline="always">
                Open the catalogue
              </Anchor>
            </Text>
          )
        }
      </Loaded>
    </Container>
  )
}

function Board({ board }: { board: Schemas['SpeedBoardSummary'] }) {
  return (
    <Link to={`/challenges/${board.slug}/speed`} className={css.board}>
      <h2>{board.title}</h2>
      <p>
        {board.first
          ? `${board.first.name}: ${formatSpeed(board.first.interval.ratio, board.quantity)}`
          : 'No entry yet. Be the first.'}
      </p>
      <p className={css.foot}>
        {board.quantity === 'speed' ? 'Speed' : 'Memory'} · {pluralize(board.entries, 'entry', 'entries')}
      </p>
    </Link>
  )
}
