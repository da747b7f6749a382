import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { at, SmallForm } from '../account/Form'
import { Row, Section } from '../account/Section'
import { when } from '../account/when'
import { api, told } from '../api/client'
import { Sure } from '../desk/Parts'
import { Loaded } from '../parts/States'
import { SCOPES, type Scope, tokens, useDeed } from './data'
import { Once } from './Once'

/** A team's credentials for programs. */
export function TeamTokens({ team }: { team: string }) {
  const [open, setOpen] = useState(false)
  const query = useQuery(tokens(team))
  const make = useDeed(team, (body: { name: string; scopes: Scope[] }) =>
    told(api.POST('/api/teams/{team_id}/tokens', { params: { path: { team_id: team } }, body })),
  )
  const revoke = useDeed(team, (id: string) =>
    told(
      api.DELETE('/api/teams/{team_id}/tokens/{team_token_id}', {
        params: { path: { team_id: team, team_token_id: id } },
      }),
    ),
  )
  return (
    <Section id="tokens" title="Tokens">
      <Row
        label="Let a program work for the team"
        hint="For an applicant tracking system: it invites people and reads results, and can do nothing else."
        action={
          !open && (
            <Button size="xs" onClick={() => setOpen(true)}>
              Make a token
            </Button>
          )
        }
      >
        {open && (
          <SmallForm
            error={make.error}
            busy={make.isPending}
            button="Make it"
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
              error={at(make.error, 'name')}
            />
            <Checkbox.Group
              label="It may"
              defaultValue={SCOPES.map(([scope]) => scope)}
              error={at(make.error, 'scopes')}
            >
              <Stack gap="xs" mt="xs">
                {SCOPES.map(([value, words]) => (
                  <Checkbox key={value} name="scopes" value={value} label={words} />
                ))}
              </Stack>
            </Checkbox.Group>
          </SmallForm>
        )}
        {make.data && !open && <Once secret={make.data.token} />}
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
                hint={`${each.scopes.map(scope => (scope === 'invite' ? 'Invites' : 'Reads results')).join(', ')} · ${
                  each.last_used_at ? `last used ${when(each.last_used_at)}` : 'never used'
                }`}
                action={
                  <Sure
                    label="Revoke"
                    title="Revoke this token?"
                    grave
                    act={() => revoke.mutateAsync(each.id)}
                  >
                    Programs that use it are shut out at once.
                  </Sure>
                }
              />
            ))
          )
        }
      </Loaded>
    </Section>
  )
}
