import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { participation, startHere } from '../api/taking'
import { linkOfThisTab } from './storage'

/** Begin, or go on here: then the assessment is open in this browser. */
export function useStart(token: string) {
  const client = useQueryClient()
  const go = useNavigate()
  return useMutation({
    mutationFn: (name: string) => startHere(token, name),
    onSuccess: begun => {
      linkOfThisTab.set(token)
      client.removeQueries({ queryKey: ['participation', begun.id] })
      client.setQueryData(participation.queryKey, begun)
      go('/participation', { replace: true })
    },
  })
}
