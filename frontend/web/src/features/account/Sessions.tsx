import { Badge, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { api, unwrap } from '@/api/client'
import { sessions, useSignInMutation } from '@/api/queries'
import { browserName } from '@/shared/format/browserName'
import { formatDateTime } from '@/shared/format/dates'
import { Row } from '@/shared/forms/Section'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'

/** Lists where the account is signed in. */
export function Sessions() {
  const client = useQueryClient()
  const go = useNavigate()
  const end = useMutation({
    mutationFn: (id: string) =>
      unwrap(api.DELETE('/api/me/sessions/{session_id}', { params: { path: { session_id: id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: sessions.queryKey }),
  })
  const leave = useSignInMutation(async () => {
    await unwrap(api.DELETE('/api/me/sessions'))
    return null
  })
  const error = end.error ?? leave.error
  return (
    <>
      {error && <ErrorMessage error={error} />}
      <Loaded query={useQuery(sessions)}>
        {items => (
          <>
            {items.map(each => (
              <Row
                key={each.id}
                label={
                  <>
                    <span title={each.agent}>{browserName(each.agent)}</span>
                    {each.current && (
                      <Badge variant="light" tt="none">
                        This browser
                      </Badge>
                    )}
                  </>
                }
                hint={`${each.address}, last used ${formatDateTime(each.last_used_at)}`}
                action={
                  !each.current && (
                    <Button
                      size="xs"
                      variant="subtle"
                      color="red"
                      loading={end.isPending && end.variables === each.id}
                      onClick={() => end.mutate(each.id)}
                    >
                      End session
                    </Button>
                  )
                }
              />
            ))}
            <Row
              label="All sessions"
              hint="Includes this browser. API tokens keep working."
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
