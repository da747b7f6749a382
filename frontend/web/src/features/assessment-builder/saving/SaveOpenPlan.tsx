import { Button, Group, Text } from '@mantine/core'
import { Dialog } from '@/shared/ui/Dialog'
import { usePlanContext } from '../context'

/** Asks before the plan of an open assessment is saved: says who gets the changed plan, and who keeps the earlier one. */
export function SaveOpenPlan() {
  const { assessment, confirmSave, cancelSave } = usePlanContext()
  const next = assessment.number + 1
  return (
    <Dialog
      title={assessment.frozen ? `Save as version ${next}?` : 'Change the open assessment?'}
      onClose={cancelSave}
    >
      <Text size="sm">
        This assessment is open.{' '}
        {assessment.frozen
          ? `Candidates who have not started get version ${next}. Candidates who have started keep the version with which they started, so their results are not based on the same plan.`
          : 'Nobody has started yet. Everyone who has been invited gets the changed plan.'}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={cancelSave}>
          Keep editing
        </Button>
        <Button onClick={confirmSave} data-autofocus>
          {assessment.frozen ? `Save version ${next}` : 'Save changes'}
        </Button>
      </Group>
    </Dialog>
  )
}
