import { Anchor } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { Closed } from '../parts/States'

/** In place of what is closed while a mock interview asks for the challenge. */
export function Asked({ interview }: { interview: string }) {
  const inside = useLocation().pathname.startsWith('/interview/')
  return (
    <Closed>
      Your mock interview asks for this challenge. Hints and the editorial open when it has ended.{' '}
      {!inside && (
        <Anchor component={Link} to={`/interview/${interview}`} size="sm">
          Back to the interview
        </Anchor>
      )}
    </Closed>
  )
}
