import { Alert, Button, CopyButton, Group, Text } from '@mantine/core'
import { pluralize } from '@/shared/format/numbers'
import { SecretLink } from '@/shared/forms/SecretLink'
import css from './Invitations.module.css'
import type { Made } from './model/requests'

/** Links of the invitations just created. They cannot be shown again. */
export function CreatedLinks({ made }: { made: Made[] }) {
  const [only] = made
  const written = made.filter(each => each.sent_at !== null).length
  const message = written
    ? `We sent ${pluralize(written, 'email')}. Every candidate has their own link.`
    : 'No email was sent. Send each candidate their own link.'
  if (made.length === 1 && only)
    return (
      <SecretLink link={only.link}>
        {only.sent_at === null
          ? 'Send the link yourself.'
          : `We sent an email to ${only.email}. You can also send the link yourself:`}
      </SecretLink>
    )
  const all = made.map(each => [each.email, each.name, each.link].join('\t')).join('\n')
  return (
    <Alert
      variant="light"
      color="marigold"
      mt="md"
      role="status"
      title={`${pluralize(made.length, 'candidate was', 'candidates were')} invited. Copy their links now. They are shown only once.`}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">{message}</Text>
        <Copy value={all} label="Copy all" />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <ul className={css.made} tabIndex={0} aria-label="Links">
        {made.map(each => (
          <li key={each.id}>
            <Text size="sm" truncate>
              {each.name || each.email}
            </Text>
            <span className={css.link}>{each.link}</span>
            <Copy value={each.link} label="Copy" of={each.email} />
          </li>
        ))}
      </ul>
    </Alert>
  )
}

function Copy({ value, label, of }: { value: string; label: string; of?: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          size="compact-xs"
          variant="default"
          onClick={copy}
          aria-label={of && `${copied ? 'Copied' : label}: link for ${of}`}
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  )
}
