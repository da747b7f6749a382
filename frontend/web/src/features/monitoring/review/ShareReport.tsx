import { Button, Group, NumberInput, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { browserName } from '@/shared/format/browserName'
import { formatDateTime } from '@/shared/format/dates'
import { pluralize } from '@/shared/format/numbers'
import { SecretLink } from '@/shared/forms/SecretLink'
import { Dialog } from '@/shared/ui/Dialog'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import { type Person, type ReportLink, reportLinks, useRevokeReportLink, useShareReport } from '../requests'
import css from './CandidateReport.module.css'

const [USUAL_DAYS, MOST_DAYS] = [7, 90]

/** Makes links with which people without an account read this report, and lists those that there are. */
export function ShareReport({ of, onClose }: { of: Person; onClose: () => void }) {
  const [days, setDays] = useState(USUAL_DAYS)
  const share = useShareReport(of)
  const query = useQuery(reportLinks(of))
  return (
    <Dialog title="Share the report" onClose={onClose}>
      <Text size="sm">
        Anyone with the link can read this report without an account: results, code, recorded activity and the
        conversation with the assistant. It does not show the email address, your notes, the rubric, the
        decision, or similar answers.
      </Text>
      <Group align="flex-end" mt="md" gap="sm">
        <NumberInput
          label="Days until it expires"
          w={170}
          min={1}
          max={MOST_DAYS}
          clampBehavior="strict"
          allowDecimal={false}
          value={days}
          onChange={value => typeof value === 'number' && setDays(value)}
        />
        <Button loading={share.isPending} onClick={() => share.mutate(days)}>
          Create link
        </Button>
      </Group>
      {share.error && <ErrorMessage error={share.error} />}
      {share.data && <SecretLink link={share.data.link} />}
      <Loaded query={query}>
        {items =>
          items.length > 0 && (
            <ul className={css.links} aria-label="Links">
              {items.map(each => (
                <Link key={each.id} of={of} link={each} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}

function Link({ of, link }: { of: Person; link: ReportLink }) {
  const revoke = useRevokeReportLink(of)
  const over = link.revoked_at !== null || Date.parse(link.expires_at) <= Date.now()
  const [last] = link.openings
  return (
    <li className={css.link}>
      <div>
        <Text size="sm">
          {link.created_by ?? 'A former member'}, {formatDateTime(link.created_at)}
        </Text>
        <Text size="sm" c="dimmed">
          {link.revoked_at ? 'Revoked' : `${over ? 'Expired' : 'Expires'} ${formatDateTime(link.expires_at)}`}
          {'. '}
          {link.opened === 0 ? 'Not opened.' : `Opened ${pluralize(link.opened, 'time')}`}
          {last && `, last ${formatDateTime(last.at)} with ${browserName(last.agent)}.`}
        </Text>
      </div>
      {!over && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="red"
          loading={revoke.isPending}
          onClick={() => revoke.mutate(link.id)}
        >
          Revoke
        </Button>
      )}
    </li>
  )
}
