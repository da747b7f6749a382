import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { participation, startAssessment } from '../requests'
import { invitationTokenOfTab } from '../saving/storage'

/** Starts the assessment, or continues it here: this browser then holds the participation. */
export function useStart(token: string) {
  const client = useQueryClient()
  const go = useNavigate()
  return useMutation({
    mutationFn: (name: string) => startAssessment(token, name),
    onSuccess: begun => {
      invitationTokenOfTab.set(token)
      client.removeQueries({ queryKey: ['participation', begun.id] })
      client.setQueryData(participation.queryKey, begun)
      go('/participation', { replace: true })
    },
  })
}
