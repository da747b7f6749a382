import { Anchor, Button, Group, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { api, type Schemas, unwrap } from '@/api/client'
import { formatDateTime } from '@/shared/format/dates'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import { StatusBadge } from '@/shared/ui/StatusBadge'
import css from './Admin.module.css'
import { AdminPart, AdminSection } from './AdminSection'
import { SubmissionSource } from './judging/SubmissionList'
import { flaggedMeasurements, useAdminMutation } from './requests'

type Item = Schemas['FlaggedMeasurement']

const FLAGS: Record<string, string> = {
  floor: 'It is faster than its machine can be for this amount of arithmetic and memory traffic.',
  disagrees: 'Two measurements of this answer disagree by more than their intervals allow.',
}

/** Measurements of scored challenges that a person has to look at. */
export function Measurements() {
  return (
    <AdminPart
      title="Measurements"
      description="Results on speed boards that are too good to be true, or that disagree with each other. They have no place until you decide. The owner reads why an answer was withdrawn."
    >
      <Loaded query={useQuery(flaggedMeasurements)}>
        {({ open, decided }) => (
          <>
            <AdminSection title="To decide">
              {open.length > 0 ? (
                open.map(item => <One key={item.id} item={item} />)
              ) : (
                <Text c="dimmed">Nothing to decide.</Text>
              )}
            </AdminSection>
            {decided.length > 0 && (
              <AdminSection title="Decided">
                {decided.map(item => (
                  <One key={item.id} item={item} />
                ))}
              </AdminSection>
            )}
          </>
        )}
      </Loaded>
    </AdminPart>
  )
}

function One({ item }: { item: Item }) {
  return (
    <article className={css.card}>
      <div className={css.head}>
        <Anchor component={Link} to={`/challenges/${item.slug}/speed/${item.id}`} fw={600}>
          {item.slug}
        </Anchor>
        {item.review && (
          <StatusBadge state={item.review === 'accepted' ? 'accepted' : 'banned'}>{item.review}</StatusBadge>
        )}
        <Text size="sm" c="dimmed">
          <Anchor component={Link} to={`/admin/accounts/${item.account_id}`} c="inherit">
            {item.name}
          </Anchor>
          {' · '}
          {formatDateTime(item.at)}
          {item.interval && ` · ${item.interval.ratio.toPrecision(3)} × the baseline`}
        </Text>
      </div>
      {FLAGS[item.flag] && (
        <Text size="sm" mt={4}>
          {FLAGS[item.flag]}
        </Text>
      )}
      {item.reason && (
        <Text size="sm" mt={4}>
          Reason: {item.reason}
        </Text>
      )}
      <ReviewForm item={item} />
    </article>
  )
}

function ReviewForm({ item }: { item: Item }) {
  const [reason, setReason] = useState('')
  const review = useAdminMutation((body: Schemas['ReviewDecision']) =>
    unwrap(
      api.PUT('/api/admin/measurements/{measurement_id}/review', {
        params: { path: { measurement_id: item.id } },
        body,
      }),
    ),
  )
  const withdraw = (event: FormEvent) => {
    event.preventDefault()
    review.mutate({ decision: 'withdraw', reason }, { onSuccess: () => setReason('') })
  }
  return (
    <>
      <Group gap="xs" mt="sm" align="end">
        {item.review !== 'accepted' && (
          <Button
            size="xs"
            loading={review.isPending}
            onClick={() => review.mutate({ decision: 'accept', reason: '' })}
          >
            {item.review === 'withdrawn' ? 'Restore' : 'Accept'}
          </Button>
        )}
        {item.review !== 'withdrawn' && (
          <form onSubmit={withdraw} style={{ display: 'flex', gap: '0.6rem', alignItems: 'end' }}>
            <TextInput
              size="xs"
              label="Why it is withdrawn"
              required
              maxLength={500}
              value={reason}
              onChange={event => setReason(event.currentTarget.value)}
            />
            <Button type="submit" size="xs" variant="default" c="var(--g-bad)" loading={review.isPending}>
              Withdraw
            </Button>
          </form>
        )}
        {item.submission_id && <SubmissionSource id={item.submission_id} />}
      </Group>
      {review.error && <ErrorMessage error={review.error} />}
    </>
  )
}
