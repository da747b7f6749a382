import { Alert, Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Participation } from './requests'

/** Tells the team's member who tries an assessment that nothing counts, and links to the report once the test drive has ended. */
export function TestDriveNotice({ found }: { found?: Participation }) {
  const drive = found?.test_drive
  const at = drive && `/teams/${drive.team_id}/assessments/${drive.assessment_id}`
  return (
    <Alert color="marigold" variant="light" mb="lg" title="Test drive">
      <Text size="sm">
        Everything works as it does for a candidate, but nothing counts: your test drive is not part of the
        assessment’s results, and only your team sees it.
        {at && (
          <>
            {' '}
            {found.finished_at && (
              <>
                <Anchor component={Link} inherit to={`${at}/people/${found.id}`}>
                  Open the report
                </Anchor>{' '}
                that your team would read, or go{' '}
              </>
            )}
            <Anchor component={Link} inherit to={`${at}/preview`}>
              {found.finished_at ? 'back to the preview' : 'Back to the preview'}
            </Anchor>
            .
          </>
        )}
      </Text>
    </Alert>
  )
}
