import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '@/api/client'
import { formatDateTime } from '@/shared/format/dates'
import { ConfirmButton } from '@/shared/forms/ConfirmButton'
import { Secret } from '@/shared/forms/Secret'
import { Row, Section } from '@/shared/forms/Section'
import { fieldError, SmallForm } from '@/shared/forms/SmallForm'
import { Loaded } from '@/shared/ui/QueryStates'
import { SCOPES, type Scope, tokens, useConnectionsMutation } from './requests'

const permissions = (scopes: Scope[]) =>
  `Can ${scopes.map(scope => (scope === 'invite' ? 'invite' : 'read results')).join(' and ')}`

/** A team's API tokens for programs. */
export function TeamTokens({ team }: { team: string }) {
  const [open, setOpen] = useState(false)
  const query = useQuery(tokens(team))
  const make = useConnectionsMutation(team, (body: { name: string; scopes: Scope[] }) =>
    unwrap(api.POST('/api/teams/{team_id}/tokens', { params: { path: { team_id: team } }, body })),
  )
  const revoke = useConnectionsMutation(team, (id: string) =>
    unwrap(
      api.DELETE('/api/teams/{team_id}/tokens/{team_token_id}', {
        params: { path: { team_id: team, team_token_id: id } },
      }),
    ),
  )
  return (
    <Section id="tokens" title="Tokens">
      <Row
        label="Access for programs"
        hint="For an applicant tracking system. A token can invite candidates and read results, and nothing else."
        action={
          !open && (
            <Button size="xs" onClick={() => setOpen(true)}>
              Create token
            </Button>
          )
        }
      >
        {open && (
          <SmallForm
            error={make.error}
            busy={make.isPending}
            button="Create token"
            cancel={() => setOpen(false)}
            send={form =>
              make.mutate(
                { name: String(form.get('name')), scopes: form.getAll('scopes') as Scope[] },
                { onSuccess: () => setOpen(false) },
              )
            }
          >
            <TextInput
              name="name"
              label="Name"
              placeholder="Recruiting"
              required
              maxLength={80}
              error={fieldError(make.error, 'name')}
            />
            <Checkbox.Group
              label="Permissions"
              defaultValue={SCOPES.map(([scope]) => scope)}
              error={fieldError(make.error, 'scopes')}
            >
              <Stack gap="xs" mt="xs">
                {SCOPES.map(([value, words]) => (
                  <Checkbox key={value} name="scopes" value={value} label={words} />
                ))}
              </Stack>
            </Checkbox.Group>
          </SmallForm>
        )}
        {make.data && !open && <Secret secret={make.data.token} />}
      </Row>
      <Loaded query={query}>
        {items =>
          items.length === 0 ? (
            <Row label={<Text c="dimmed">No tokens yet.</Text>} />
          ) : (
            items.map(each => (
              <Row
                key={each.id}
                label={
                  <>
                    {each.name}
                    <Text span ff="monospace" size="sm" c="dimmed">
                      {each.hint}
                    </Text>
                  </>
                }
                hint={`${permissions(each.scopes)} · ${
                  each.last_used_at ? `last used ${formatDateTime(each.last_used_at)}` : 'never used'
                }`}
                action={
                  <ConfirmButton
                    label="Revoke"
                    title="Revoke this token?"
                    grave
                    act={() => revoke.mutateAsync(each.id)}
                  >
                    Programs that use it lose access immediately.
                  </ConfirmButton>
                }
              />
            ))
          )
        }
      </Loaded>
    </Section>
  )
}
