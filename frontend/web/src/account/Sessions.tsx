import { Badge, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { api, told } from '../api/client'
import { sessions, useSigning } from '../api/queries'
import { Broken, Loaded } from '../parts/States'
import { browserOf } from './browser'
import { Row } from './Section'
import { when } from './when'

/** Where the account is signed in. */
export function Sessions() {
  const client = useQueryClient()
  const go = useNavigate()
  const end = useMutation({
    mutationFn: (id: string) =>
      told(api.DELETE('/api/me/sessions/{session_id}', { params: { path: { session_id: id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: sessions.queryKey }),
  })
  const leave = useSigning(async () => {
    await told(api.DELETE('/api/me/sessions'))
    return null
  })
  const error = end.error ?? leave.error
  return (
    <>
      {error && <Broken error={error} />}
      <Loaded query={useQuery(sessions)}>
        {items => (
          <>
            {items.map(each => (
              <Row
                key={each.id}
                label={
                  <>
                    <span title={each.agent}>{browserOf(each.agent)}</span>
                    {each.current && (
                      <Badge variant="light" tt="none">
                        this browser
                      </Badge>
                    )}
                  </>
                }
                hint={`${each.address}, last used ${when(each.last_used_at)}`}
                action={
                  !each.current && (
                    <Button
                      size="xs"
                      variant="subtle"
                      color="red"
                      loading={end.isPending && end.variables === each.id}
                      onClick={() => end.mutate(each.id)}
                    >
                      End it
                    </Button>
                  )
                }
              />
            ))}
            <Row
              label="All of them"
              hint="Here too. API tokens go on working."
              action={
                <Button
                  size="xs"
                  variant="default"
                  loading={leave.isPending}
                  onClick={() => leave.mutate(undefined, { onSuccess: () => go('/sign-in') })}
                >
                  Sign out everywhere
                </Button>
              }
            />
          </>
        )}
      </Loaded>
    </>
  )
}
