/** What can be done with an assessment as a whole. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { assessment as asked } from '../api/teams'
import { type Assessment, acts } from './requests'

export function useActs({ teamId, assessment }: { teamId: string; assessment: Assessment }) {
  const client = useQueryClient()
  const go = useNavigate()
  const path = { team_id: teamId, assessment_id: assessment.id }
  const shown = (view: Assessment) => {
    client.setQueryData(asked(teamId, view.id).queryKey, view)
    // Lists of the team name it too.
    client.invalidateQueries({
      queryKey: ['team', teamId],
      predicate: each => each.queryKey[2] !== 'assessment',
    })
  }
  const open = useMutation({ mutationFn: () => acts.open(path), onSuccess: shown })
  const archive = useMutation({ mutationFn: () => acts.archive(path), onSuccess: shown })
  const restore = useMutation({ mutationFn: () => acts.restore(path), onSuccess: shown })
  const rename = useMutation({ mutationFn: (name: string) => acts.rename(path, name), onSuccess: shown })
  const clone = useMutation({
    mutationFn: () => acts.clone(path),
    onSuccess: made => {
      shown(made)
      go(`/teams/${teamId}/assessments/${made.id}`)
    },
  })
  return { open, archive, restore, rename, clone, error: archive.error ?? restore.error ?? clone.error }
}
