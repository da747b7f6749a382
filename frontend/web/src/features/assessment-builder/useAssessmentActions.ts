/** Actions on an assessment as a whole. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { assessment as assessmentQuery } from '@/api/teams'
import { type Assessment, assessmentActions } from './requests'

export function useAssessmentActions({ teamId, assessment }: { teamId: string; assessment: Assessment }) {
  const client = useQueryClient()
  const go = useNavigate()
  const path = { team_id: teamId, assessment_id: assessment.id }
  const shown = (view: Assessment) => {
    client.setQueryData(assessmentQuery(teamId, view.id).queryKey, view)
    // The team's lists contain the assessment too.
    client.invalidateQueries({
      queryKey: ['team', teamId],
      predicate: each => each.queryKey[2] !== 'assessment',
    })
  }
  const open = useMutation({ mutationFn: () => assessmentActions.open(path), onSuccess: shown })
  const restore = useMutation({ mutationFn: () => assessmentActions.restore(path), onSuccess: shown })
  const rename = useMutation({
    mutationFn: (name: string) => assessmentActions.rename(path, name),
    onSuccess: shown,
  })
  const clone = useMutation({
    mutationFn: () => assessmentActions.clone(path),
    onSuccess: made => {
      shown(made)
      go(`/teams/${teamId}/assessments/${made.id}`)
    },
  })
  return { open, restore, rename, clone, error: restore.error ?? clone.error }
}
