import { Alert, Button, Code, CopyButton, Group } from '@mantine/core'

/** A secret that is shown this once. */
export function Once({ secret }: { secret: string }) {
  return (
    <Alert variant="light" color="marigold" mt="md" title="Copy it now: it is shown this once" role="status">
      <Group gap="sm">
        <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
        <Copy value={secret} />
      </Group>
    </Alert>
  )
}

export function Copy({ value, what = 'Copy' }: { value: string; what?: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button size="xs" variant="default" onClick={copy}>
          {copied ? 'Copied' : what}
        </Button>
      )}
    </CopyButton>
  )
}
