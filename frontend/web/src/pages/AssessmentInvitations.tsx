import { Button, Text, Title } from '@mantine/core'
import { Link } from 'react-router'
import css from '../invitations/Invitations.module.css'
import { Invite } from '../invitations/Invite'
import { Listed } from '../invitations/Listed'
import { usePlace } from '../invitations/queries'
import { type Assessment, AssessmentFrame } from '../team/AssessmentFrame'
import { atLeast } from '../team/TeamFrame'

export function Component() {
  return (
    <AssessmentFrame>
      {(assessment, team) => {
        const writable = atLeast(team, 'author')
        return (
          <>
            {assessment.state === 'open' ? writable && <Invite /> : <NotOpen assessment={assessment} />}
            {assessment.state !== 'draft' && <Listed writable={writable} />}
          </>
        )
      }}
    </AssessmentFrame>
  )
}

/** Nobody is invited to what cannot be taken. */
function NotOpen({ assessment }: { assessment: Assessment }) {
  const { team_id } = usePlace()
  const draft = assessment.state === 'draft'
  return (
    <div className={css.closed}>
      <Title order={2} fz="1.35rem">
        {draft ? 'This assessment is a draft' : 'This assessment is archived'}
      </Title>
      <Text c="dimmed" maw="34rem" mx="auto" mt="xs" mb="lg" lh={1.6} style={{ textWrap: 'balance' }}>
        {draft
          ? 'Nobody can take it yet, so nobody can be invited. Open it on its plan page first.'
          : 'Nobody starts any more; whoever has started goes on. Restore it to invite more people.'}
      </Text>
      <Button
        component={Link}
        variant="default"
        to={draft ? `/teams/${team_id}/assessments/${assessment.id}` : `/teams/${team_id}?state=archived`}
      >
        {draft ? 'Go to the plan' : 'Go to what is archived'}
      </Button>
    </div>
  )
}
