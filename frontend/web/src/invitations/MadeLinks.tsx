import { Alert, Button, CopyButton, Group, Text } from '@mantine/core'
import { LinkOnce } from '../team/LinkOnce'
import { many } from '../team/words'
import css from './Invitations.module.css'
import type { Made } from './queries'

/** Links of those who were invited just now. Nobody is shown them again. */
export function MadeLinks({ made }: { made: Made[] }) {
  const [only] = made
  const written = made.filter(each => each.sent_at !== null).length
  const told = written
    ? `${many(written, 'letter is', 'letters are')} on the way, each with a link of its own.`
    : 'No letter was written.'
  if (made.length === 1 && only)
    return (
      <LinkOnce link={only.link}>
        {only.sent_at === null
          ? 'Hand it over yourself.'
          : `A letter is on its way to ${only.email}. If you would rather hand the link over yourself:`}
      </LinkOnce>
    )
  const all = made.map(each => [each.email, each.name, each.link].join('\t')).join('\n')
  return (
    <Alert
      variant="light"
      color="marigold"
      mt="md"
      role="status"
      title={`${many(made.length, 'person is', 'people are')} invited. Their links are shown this once`}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">{told}</Text>
        <Copy value={all} label="Copy all" />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
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
          aria-label={of && `${copied ? 'Copied' : label}: link of ${of}`}
        >
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  )
}
