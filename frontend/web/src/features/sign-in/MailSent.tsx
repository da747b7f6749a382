import { Alert, Text } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Schemas } from '@/api/client'

/** Says that an email was sent or, on sites that send none, where to find its content. */
export function MailSent({ sent, children }: { sent: Schemas['LetterSent']; children: ReactNode }) {
  return (
    <Alert
      variant="light"
      color="cobalt"
      icon={<IconMail />}
      title={sent.by === 'email' ? 'Check your inbox' : 'Check the server console'}
      role="status"
    >
      <Text size="sm">{children}</Text>
      {sent.by === 'console' && (
        <Text size="sm" mt="xs">
          This site does not send email. Messages are printed to the server console.
        </Text>
      )}
    </Alert>
  )
}
