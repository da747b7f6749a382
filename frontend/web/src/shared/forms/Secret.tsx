import { Alert, Button, Code, CopyButton, Group } from '@mantine/core'

/** A secret that is shown only once. */
export function Secret({ secret }: { secret: string }) {
  return (
    <Alert variant="light" color="marigold" mt="md" title="Copy it now. It is shown only once." role="status">
      <Group gap="sm">
        <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
        <CopyValue value={secret} />
      </Group>
    </Alert>
  )
}

export function CopyValue({ value, what = 'Copy' }: { value: string; what?: string }) {
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
