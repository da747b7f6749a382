import { Alert, Button, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { api, unwrap } from '@/api/client'
import { links, providers } from '@/api/queries'
import { providerError, useProvider } from '@/features/sign-in'
import { Row } from '@/shared/forms/Section'

/** Sign-in providers linked to this account. Renders nothing if none is configured. */
export function LinkedProviders() {
  const [params] = useSearchParams()
  const { data: known = [] } = useQuery(providers)
  const { data: linked = [] } = useQuery({ ...links, enabled: known.length > 0 })
  const name = known.find(each => each.id === params.get('provider'))?.name ?? 'the sign-in provider'
  const sentence = providerError(params.get('trouble'), name)
  return known.map(each => (
    <Provider
      key={each.id}
      id={each.id}
      name={each.name}
      email={linked.find(link => link.id === each.id)?.email}
      error={params.get('provider') === each.id ? sentence : undefined}
    />
  ))
}

interface Props {
  id: string
  name: string
  /** The address at the provider, if it is linked. */
  email?: string
  /** Why linking failed. */
  error?: string
}

function Provider({ id, name, email, error: sentence }: Props) {
  const client = useQueryClient()
  const go = useProvider()
  const unlink = useMutation({
    mutationFn: () =>
      unwrap(api.DELETE('/api/me/providers/{provider_id}', { params: { path: { provider_id: id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: links.queryKey }),
  })
  const refused = go.error?.message ?? unlink.error?.message
  return (
    <Row
      label={name}
      hint={email === undefined ? 'Not linked.' : `Linked to ${email}.`}
      action={
        email === undefined ? (
          <Button
            variant="default"
            size="xs"
            loading={go.isPending}
            onClick={() => go.mutate({ id, back: '/account', link: true })}
          >
            Link {name}
          </Button>
        ) : (
          <Button
            variant="subtle"
            color="red"
            size="xs"
            loading={unlink.isPending}
            onClick={() => unlink.mutate()}
          >
            Unlink {name}
          </Button>
        )
      }
    >
      {refused ? (
        <Text size="sm" c="var(--g-bad)" role="alert">
          {refused}
        </Text>
      ) : sentence ? (
        <Alert color="marigold" variant="light" role="alert">
          {sentence}
        </Alert>
      ) : null}
    </Row>
  )
}
