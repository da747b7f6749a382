import { Container, Text, Title } from '@mantine/core'
import { pluralize } from '@/shared/format/numbers'
import { formatTime } from './clock'
import { ItemList } from './items/ItemList'
import { itemsOf } from './items/itemStates'
import { describeWhatCounts } from './items/submissionsLeft'
import type { Participation } from './requests'
import { Rules } from './start/Rules'
import { TestDriveNotice } from './TestDriveNotice'

/** The list of all items, and the rules shown before the start. */
export function Overview({ found }: { found: Participation }) {
  const points = itemsOf(found).reduce((sum, item) => sum + item.points, 0)
  return (
    <Container size="md" py="xl">
      {found.test_drive && <TestDriveNotice found={found} />}
      <Text c="dimmed">{found.team}</Text>
      <Title order={1}>{found.assessment}</Title>
      <Text mt={6}>
        {pluralize(points, 'point')}, until {formatTime(found.deadline)}. You can work on the items in any
        order. Your work is saved automatically. {describeWhatCounts(found)}
      </Text>
      {found.given_back_s > 0 && (
        <Text mt={6} c="dimmed">
          You got {Math.ceil(found.given_back_s / 60)} min back, because the queue was slow or there was an
          outage.
        </Text>
      )}
      <ItemList found={found} />
      <Rules texts={found} />
    </Container>
  )
}
