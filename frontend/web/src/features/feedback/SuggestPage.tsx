import { Alert, Anchor, Button, Container, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link } from 'react-router'
import { ApiError, api, type Schemas, unwrap } from '@/api/client'
import { useMe } from '@/api/queries'
import { useTitle } from '@/shared/hooks/useTitle'

export function Component() {
  useTitle('Suggest a question')
  const account = useMe()
  return (
    <Container size="sm" py="xl">
      <Title order={1}>Suggest a question</Title>
      <Text c="dimmed" mt={8} mb="lg">
        Were you asked something that is not in the catalogue? Tell us. We read and answer every suggestion.
        Challenges based on one are written and tested from scratch.
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
    mutationFn: (body: Schemas['NewSuggestion']) => unwrap(api.POST('/api/suggestions', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['reports'] }),
  })
  const refusal = send.error instanceof ApiError ? send.error : null
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const field = (name: string) => String(form.get(name) ?? '')
    send.mutate({ title: field('title'), tests: field('tests'), why: field('why'), words: field('words') })
  }
  if (send.isSuccess)
    return (
      <Alert variant="light" color="green" title="Thank you" role="status">
        “{send.data.title}” and our answer appear under{' '}
        <Anchor component={Link} to="/my-reports">
          My reports
        </Anchor>
        .{' '}
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
        error={refusal?.messageFor('title')}
      />
      <Textarea
        name="tests"
        label="What it should test"
        description="What a correct answer demonstrates"
        required
        minLength={10}
        maxLength={4000}
        autosize
        minRows={3}
        mb="md"
        error={refusal?.messageFor('tests')}
      />
      <Textarea
        name="why"
        label="Where it was asked"
        description="Optional. For example, the kind of interview or role. Do not name people or companies."
        maxLength={1000}
        autosize
        minRows={2}
        mb="md"
        error={refusal?.messageFor('why')}
      />
      <Textarea
        name="words"
        label="Anything else"
        maxLength={1000}
        autosize
        minRows={2}
        mb="lg"
        error={refusal?.messageFor('words')}
      />
      <Button type="submit" loading={send.isPending}>
        Send suggestion
      </Button>
    </form>
  )
}
