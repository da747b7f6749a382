import { Alert, Text } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client'

/** A letter is on its way; where the site sends none, who has it. */
export function OnItsWay({ sent, children }: { sent: Schemas['LetterSent']; children: ReactNode }) {
  return (
    <Alert
      variant="light"
      color="cobalt"
      icon={<IconMail />}
      title={sent.by === 'email' ? 'Look into your mailbox' : 'Look at the console'}
      role="status"
    >
      <Text size="sm">{children}</Text>
      {sent.by === 'console' && (
        <Text size="sm" mt="xs">
          This site sends no e-mail. Its letters are printed on the console of whoever runs it.
        </Text>
      )}
    </Alert>
  )
}
