import { Button } from '@mantine/core'
import { useState } from 'react'
import { AssessmentFrame } from '../team/AssessmentFrame'
import { atLeast } from '../team/TeamFrame'
import { Live } from '../watching/Live'
import { Outage } from '../watching/Outage'
import { Outages } from '../watching/Outages'

/** Everybody who takes an assessment, at this moment. */
export function Component() {
  const [reporting, setReporting] = useState(false)
  return (
    <AssessmentFrame
      actions={(_, team) =>
        atLeast(team, 'owner') && (
          <Button variant="default" size="xs" onClick={() => setReporting(true)}>
            Report an outage
          </Button>
        )
      }
    >
      {(assessment, team) => {
        const at = { teamId: team.id, assessmentId: assessment.id }
        return (
          <>
            <Live at={at} mayChange={atLeast(team, 'author')} />
            {atLeast(team, 'owner') && <Outages at={at} />}
            {reporting && <Outage at={at} onClose={() => setReporting(false)} />}
          </>
        )
      }}
    </AssessmentFrame>
  )
}
