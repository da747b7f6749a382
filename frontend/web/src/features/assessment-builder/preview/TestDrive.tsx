import { Anchor, Button, CopyButton, Group, Paper, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatDateTime } from '@/shared/format/dates'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { startTestDrive, testDrives } from '../requests'
import css from './Preview.module.css'

interface Props {
  teamId: string
  assessmentId: string
}

/** Lets a member of the team take the assessment like a candidate, and lists the team's test drives. */
export function TestDrive({ teamId, assessmentId }: Props) {
  const path = { team_id: teamId, assessment_id: assessmentId }
  const start = useMutation({ mutationFn: () => startTestDrive(path) })
  const link = start.data?.link
  return (
    <Paper component="section" radius="md" p="lg" mb="xl" aria-labelledby="test-drive">
      <Group justify="space-between" align="flex-start" gap="md">
        <div className={css.drive}>
          <Title order={2} id="test-drive" fz="1.3rem">
            Test drive
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            Take the assessment yourself: the clock runs, answers are judged, and drafts are saved. It works
            for drafts too. Nothing counts, and the plan stays editable. A new test drive deletes your earlier
            one.
          </Text>
        </div>
        {!link && (
          <Button loading={start.isPending} onClick={() => start.mutate()}>
            Start test drive
          </Button>
        )}
      </Group>
      {start.error && <ErrorMessage error={start.error} />}
      {link && (
        <Group gap="sm" mt="md" role="status">
          <Button component="a" href={link} target="_blank" rel="noopener">
            Open test drive
          </Button>
          <CopyButton value={link}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy link'}
              </Button>
            )}
          </CopyButton>
          <Text size="sm" c="dimmed">
            The link works once, for one day.
          </Text>
        </Group>
      )}
      <Earlier {...path} />
    </Paper>
  )
}

/** The test drives that members have started, each with a link to its report. */
function Earlier(path: { team_id: string; assessment_id: string }) {
  const found = useQuery(testDrives(path)).data ?? []
  if (found.length === 0) return null
  return (
    <ul className={css.drives} aria-label="Test drives">
      {found.map(each => (
        <li key={each.participation_id}>
          {each.name}, {formatDateTime(each.started_at)}, version {each.version},{' '}
          {each.finished_at ? 'finished' : 'in progress'}:{' '}
          <Anchor
            component={Link}
            inherit
            to={`/teams/${path.team_id}/assessments/${path.assessment_id}/people/${each.participation_id}`}
          >
            report
          </Anchor>
        </li>
      ))}
    </ul>
  )
}
