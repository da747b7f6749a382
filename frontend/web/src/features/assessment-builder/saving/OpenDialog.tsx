import { Button, Group, List, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Dialog } from '@/shared/ui/Dialog'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { usePlanContext } from '../context'
import type { Form } from '../plan/form'
import { describePlace } from '../plan/validation'
import { useAssessmentActions } from '../useAssessmentActions'

/** When candidates can start, as the end of a sentence; empty if there is no limit. */
function startTimes({ opens_at, closes_at }: Form): string {
  if (opens_at && closes_at) return ' between the opening and closing times'
  if (opens_at) return ' from the opening time'
  return closes_at ? ' until the closing time' : ''
}

/** Confirms opening the assessment to candidates: explains the consequences, or lists what is missing. */
export function OpenDialog({ onClose }: { onClose: () => void }) {
  const work = usePlanContext()
  const { open } = useAssessmentActions(work)
  const go = useMutation({
    mutationFn: async () => {
      if (work.dirty) {
        const saved = await work.saving.mutateAsync(work.form)
        if (saved.conflict) return true
        // If the service has findings on this plan, the author reads them first.
        if (saved.assessment.warnings.length > 0 || saved.assessment.problems.length > 0) return false
      }
      await open.mutateAsync()
      return true
    },
    onSuccess: done => done && onClose(),
  })
  const { all, form, dirty, warnings } = work
  if (all.length > 0)
    return (
      <Dialog title="Not ready to open" onClose={onClose}>
        <Text size="sm" mb="sm">
          Fix these problems before you open the assessment:
        </Text>
        <List size="sm" spacing={4}>
          {all.map(each => (
            <List.Item key={`${each.field} ${each.message}`}>
              {describePlace(each, form)}
              {each.message}
            </List.Item>
          ))}
        </List>
        <Group justify="flex-end" mt="lg">
          <Button onClick={onClose}>Keep editing</Button>
        </Group>
      </Dialog>
    )
  return (
    <Dialog title="Open for candidates" onClose={onClose}>
      <Text size="sm">
        Everyone with an invitation can start{startTimes(form)}. You can still change the plan later. Once a
        candidate has started, saving creates a new version, and candidates who have started keep theirs.
      </Text>
      {warnings.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="md" mb={4}>
            Check these warnings first:
          </Text>
          <List size="sm" spacing={4}>
            {warnings.map(each => (
              <List.Item key={`${each.field} ${each.message}`}>
                {describePlace(each, form)}
                {each.message}
              </List.Item>
            ))}
          </List>
        </>
      )}
      {go.error && <ErrorMessage error={go.error} />}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {' '}
          Cancel{' '}
        </Button>
        <Button loading={go.isPending} onClick={() => go.mutate()}>
          {dirty ? 'Save and open' : warnings.length > 0 ? 'Open anyway' : 'Open'}
        </Button>
      </Group>
    </Dialog>
  )
}
