import { Button, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import { type Assessment, AssessmentFrame } from '@/features/assessments'
import { atLeast } from '@/features/teams'
import { InvitationList } from './InvitationList'
import css from './Invitations.module.css'
import { Invite } from './Invite'
import { useAssessmentParams } from './model/requests'

export function Component() {
  return (
    <AssessmentFrame>
      {(assessment, team) => {
        const writable = atLeast(team, 'author')
        return (
          <>
            {assessment.state === 'open' ? writable && <Invite /> : <NotOpen assessment={assessment} />}
            {assessment.state !== 'draft' && <InvitationList writable={writable} />}
          </>
        )
      }}
    </AssessmentFrame>
  )
}

/** Shown while the assessment is not open: nobody can be invited yet. */
function NotOpen({ assessment }: { assessment: Assessment }) {
  const { team_id } = useAssessmentParams()
  const draft = assessment.state === 'draft'
  return (
    <div className={css.closed}>
      <Title order={2} fz="1.35rem">
        {draft ? 'This assessment is a draft' : 'This assessment is archived'}
      </Title>
      <Text c="dimmed" maw="34rem" mx="auto" mt="xs" mb="lg" lh={1.6} style={{ textWrap: 'balance' }}>
        {draft
          ? 'Open it on its plan page before you invite candidates.'
          : 'It can no longer be started. Candidates who have already started can finish. Restore it to invite more candidates.'}
      </Text>
      <Button
        component={Link}
        variant="default"
        to={draft ? `/teams/${team_id}/assessments/${assessment.id}` : `/teams/${team_id}?state=archived`}
      >
        {draft ? 'Go to the plan' : 'Show archived assessments'}
      </Button>
    </div>
  )
}
