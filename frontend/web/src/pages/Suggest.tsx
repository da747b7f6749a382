import { Alert, Anchor, Button, Container, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link } from 'react-router'
import { api, Refusal, type Schemas, told } from '../api/client'
import { useMe } from '../api/queries'
import { useTitle } from '../parts/title'

export function Component() {
  useTitle('Suggest a question')
  const account = useMe()
  return (
    <Container size="sm" py="xl">
      <Title order={1}>Suggest a question</Title>
      <Text c="dimmed" mt={8} mb="lg">
        Were you asked something that is not here? Tell us. We read every suggestion and answer it; what we
        build from it is written and tested anew.
      </Text>
      {account && account.role !== 'guest' ? (
        <Form />
      ) : (
        <Text>
          <Anchor component={Link} to="/sign-in?then=/suggest">
            Sign in
          </Anchor>{' '}
          first, so that we can answer you.
        </Text>
      )}
    </Container>
  )
}

function Form() {
  const client = useQueryClient()
  const send = useMutation({
    mutationFn: (body: Schemas['NewSuggestion']) => told(api.POST('/api/suggestions', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['reports'] }),
  })
  const refusal = send.error instanceof Refusal ? send.error : null
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const field = (name: string) => String(form.get(name) ?? '')
    send.mutate({ title: field('title'), tests: field('tests'), why: field('why'), words: field('words') })
  }
  if (send.isSuccess)
    return (
      <Alert variant="light" color="green" title="Thank you" role="status">
        «{send.data.title}» stands among{' '}
        <Anchor component={Link} to="/my-reports">
          your reports
        </Anchor>
        , where you will read the answer.{' '}
        <Anchor component="button" type="button" onClick={() => send.reset()}>
          Suggest another
        </Anchor>
      </Alert>
    )
  return (
    <form onSubmit={submit}>
      {send.error && !refusal?.fields.length && (
        <Alert color="red" variant="light" mb="md" role="alert">
          {send.error.message}
        </Alert>
      )}
      <TextInput
        name="title"
        label="Title"
        placeholder="Gradient checkpointing by hand"
        required
        minLength={5}
        maxLength={120}
        mb="md"
        error={refusal?.of('title')}
      />
      <Textarea
        name="tests"
        label="What it should test"
        description="What somebody who solves it has shown"
        required
        minLength={10}
        maxLength={4000}
        autosize
        minRows={3}
        mb="md"
        error={refusal?.of('tests')}
      />
      <Textarea
        name="why"
        label="Why it is asked"
        description="Optional: where you met it, without names of people or companies"
        maxLength={1000}
        autosize
        minRows={2}
        mb="md"
        error={refusal?.of('why')}
      />
      <Textarea
        name="words"
        label="Anything else"
        maxLength={1000}
        autosize
        minRows={2}
        mb="lg"
        error={refusal?.of('words')}
      />
      <Button type="submit" loading={send.isPending}>
        Send the suggestion
      </Button>
    </form>
  )
}
