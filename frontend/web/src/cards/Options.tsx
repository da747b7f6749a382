import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { setAside, setNewPerDay, suspend, useCards } from '../api/cards'
import { Inline } from '../parts/Markdown'
import { Broken, Loaded } from '../parts/States'

/** How many new cards a day, and the cards that were set aside. */
export function Options(props: { opened: boolean; onClose: () => void; newPerDay: number }) {
  const change = useCards(setNewPerDay)
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Cards: options">
      <NumberInput
        label="New cards a day"
        min={0}
        max={100}
        clampBehavior="strict"
        defaultValue={props.newPerDay}
        onChange={value => typeof value === 'number' && change.mutate(value)}
        mb="lg"
      />
      {change.error && <Broken error={change.error} />}
      <Text fw={600} mb={6}>
        Set aside
      </Text>
      {props.opened && <Suspended />}
    </Modal>
  )
}

function Suspended() {
  const query = useQuery({ ...setAside, staleTime: 0 })
  const back = useCards(suspend)
  return (
    <Loaded query={query}>
      {items =>
        items.length === 0 ? (
          <Text size="sm" c="dimmed">
            No card is set aside.
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
                  Bring back
                </Button>
              </Group>
            ))}
          </Stack>
        )
      }
    </Loaded>
  )
}
