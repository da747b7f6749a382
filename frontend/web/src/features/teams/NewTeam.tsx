import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { api, unwrap } from '@/api/client'
import css from './Teams.module.css'

/** A team needs only a name; its page follows. */
export function NewTeam() {
  const go = useNavigate()
  const client = useQueryClient()
  const make = useMutation({
    mutationFn: (name: string) => unwrap(api.POST('/api/teams', { body: { name } })),
    onSuccess: async team => {
      client.setQueryData(['team', team.id], team)
      await client.invalidateQueries({ queryKey: ['teams'] })
      go(`/teams/${team.id}`)
    },
  })
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    make.mutate(String(new FormData(event.currentTarget).get('name')))
  }
  return (
    <form className={css.form} onSubmit={send}>
      <TextInput
        name="name"
        label="Team name"
        placeholder="Training infrastructure"
        required
        maxLength={80}
        autoComplete="organization"
        error={make.error?.message}
      />
      <Button type="submit" loading={make.isPending}>
        Create team
      </Button>
    </form>
  )
}
