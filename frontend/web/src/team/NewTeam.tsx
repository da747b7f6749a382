import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { api, told } from '../api/client'
import css from './Teams.module.css'

/** A name is all that a team needs; its page comes next. */
export function NewTeam() {
  const go = useNavigate()
  const client = useQueryClient()
  const make = useMutation({
    mutationFn: (name: string) => told(api.POST('/api/teams', { body: { name } })),
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
        label="Name of the team"
        placeholder="Training infrastructure"
        required
        maxLength={80}
        autoComplete="organization"
        error={make.error?.message}
      />
      <Button type="submit" loading={make.isPending}>
        Make the team
      </Button>
    </form>
  )
}
