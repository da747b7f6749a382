import { Alert, Button, Code, CopyButton, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A link that is shown only once. */
export function SecretLink({ link, children }: { link: string; children?: ReactNode }) {
  return (
    <Alert
      variant="light"
      color="marigold"
      mt="md"
      title="Copy the link now. It is shown only once."
      role="status"
    >
      {children && (
        <Text size="sm" mb="xs">
          {children}
        </Text>
      )}
      <Group gap="sm">
        <Code style={{ overflowWrap: 'anywhere' }}>{link}</Code>
        <CopyButton value={link}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Alert>
  )
}
