import { Anchor } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { LockedNotice } from '@/shared/ui/QueryStates'

/** Shown in place of content that is locked while a running mock interview contains the challenge. */
export function ClosedDuringInterview({ interview }: { interview: string }) {
  const inside = useLocation().pathname.startsWith('/interview/')
  return (
    <LockedNotice>
      Your mock interview includes this challenge. Hints, the editorial and the discussion unlock when the
      interview ends.{' '}
      {!inside && (
        <Anchor component={Link} to={`/interview/${interview}`} size="sm">
          Back to the interview
        </Anchor>
      )}
    </LockedNotice>
  )
}
