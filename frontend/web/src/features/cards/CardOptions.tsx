import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Inline } from '@/shared/markdown/Markdown'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import { setNewPerDay, suspend, suspendedCards, useCards } from './requests'

/** The number of new cards a day, and the suspended cards. */
export function CardOptions(props: { opened: boolean; onClose: () => void; newPerDay: number }) {
  const change = useCards(setNewPerDay)
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Card options">
      <NumberInput
        label="New cards per day"
        min={0}
        max={100}
        clampBehavior="strict"
        defaultValue={props.newPerDay}
        onChange={value => typeof value === 'number' && change.mutate(value)}
        mb="lg"
      />
      {change.error && <ErrorMessage error={change.error} />}
      <Text fw={600} mb={6}>
        Suspended
      </Text>
      {props.opened && <Suspended />}
    </Modal>
  )
}

function Suspended() {
  const query = useQuery({ ...suspendedCards, staleTime: 0 })
  const back = useCards(suspend)
  return (
    <Loaded query={query}>
      {items =>
        items.length === 0 ? (
          <Text size="sm" c="dimmed">
            No cards are suspended.
          </Text>
        ) : (
          <Stack gap="xs">
            {items.map(each => (
              <Group key={each.id} justify="space-between" wrap="nowrap">
                <Text size="sm" lineClamp={2}>
                  <Inline source={each.front.split('\n')[0] ?? ''} />
                </Text>
                <Button
                  size="compact-xs"
                  variant="default"
                  style={{ flex: 'none' }}
                  onClick={() => back.mutate({ card: each.id, suspended: false })}
                >
                  Unsuspend
                </Button>
              </Group>
            ))}
          </Stack>
        )
      }
    </Loaded>
  )
}
