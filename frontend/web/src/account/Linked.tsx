import { Alert, Button, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { api, told } from '../api/client'
import { links, providers } from '../api/queries'
import { trouble, useProvider } from './providers'
import { Row } from './Section'

/** Other sites by which this account is signed in to; nothing where there are none. */
export function Linked() {
  const [params] = useSearchParams()
  const { data: known = [] } = useQuery(providers)
  const { data: linked = [] } = useQuery({ ...links, enabled: known.length > 0 })
  const name = known.find(each => each.id === params.get('provider'))?.name ?? 'the provider'
  const sentence = trouble(params.get('trouble'), name)
  return known.map(each => (
    <Provider
      key={each.id}
      id={each.id}
      name={each.name}
      email={linked.find(link => link.id === each.id)?.email}
      told={params.get('provider') === each.id ? sentence : undefined}
    />
  ))
}

interface Props {
  id: string
  name: string
  /** The address there, if it is linked. */
  email?: string
  /** Why it could not be linked. */
  told?: string
}

function Provider({ id, name, email, told: sentence }: Props) {
  const client = useQueryClient()
  const go = useProvider()
  const unlink = useMutation({
    mutationFn: () =>
      told(api.DELETE('/api/me/providers/{provider_id}', { params: { path: { provider_id: id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: links.queryKey }),
  })
  const refused = go.error?.message ?? unlink.error?.message
  return (
    <Row
      label={name}
      hint={email === undefined ? 'Not linked.' : `Linked: you are ${email} there.`}
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
