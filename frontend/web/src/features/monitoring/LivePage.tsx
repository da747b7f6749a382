import { Button } from '@mantine/core'
import { useState } from 'react'
import { AssessmentFrame } from '@/features/assessments'
import { atLeast } from '@/features/teams'
import { LiveView } from './LiveView'
import { OutageDialog } from './OutageDialog'
import { OutageList } from './OutageList'

/** The candidates who are taking an assessment now. */
export function Component() {
  const [reporting, setReporting] = useState(false)
  return (
    <AssessmentFrame
      actions={(_, team) =>
        atLeast(team, 'owner') && (
          <Button variant="default" size="xs" onClick={() => setReporting(true)}>
            Give time back
          </Button>
        )
      }
    >
      {(assessment, team) => {
        const at = { teamId: team.id, assessmentId: assessment.id }
        return (
          <>
            <LiveView at={at} mayChange={atLeast(team, 'author')} />
            {atLeast(team, 'owner') && <OutageList at={at} />}
            {reporting && <OutageDialog at={at} onClose={() => setReporting(false)} />}
          </>
        )
      }}
    </AssessmentFrame>
  )
}
