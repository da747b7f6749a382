import { Button, Group, NumberInput, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { Loaded } from '@/shared/ui/QueryStates'
import type { Plan } from '../plan/form'
import { preview } from '../requests'
import { BeforeStart } from './BeforeStart'
import { DrawnItems } from './DrawnItems'
import css from './Preview.module.css'
import { TestDrive } from './TestDrive'

const MOST = 2 ** 31 - 1

interface Props {
  teamId: string
  assessmentId: string
  plan: Plan
}

/** The start page and the drawn items, for as many sample candidates as the author wants to see. */
export function Preview({ teamId, assessmentId, plan }: Props) {
  const [params, setParams] = useSearchParams()
  const seed = Math.min(Math.max(Math.trunc(Number(params.get('candidate'))) || 1, 1), MOST)
  const query = useQuery(preview({ team_id: teamId, assessment_id: assessmentId }, seed))
  const show = (candidate: number) => setParams({ candidate: String(candidate) }, { replace: true })
  return (
    <>
      <TestDrive teamId={teamId} assessmentId={assessmentId} />
      <Group justify="space-between" align="flex-end" mb="lg">
        <Text c="dimmed" maw="34rem">
          The saved plan, as candidates see it. Candidate numbers here are examples. Real candidates get their
          own random draws. Nothing on this page is stored.
        </Text>
        <Group gap="xs" align="flex-end">
          <NumberInput
            label="Candidate"
            w={110}
            min={1}
            max={MOST}
            clampBehavior="strict"
            allowDecimal={false}
            value={seed}
            onChange={value => typeof value === 'number' && show(value)}
          />
          <Button variant="default" onClick={() => show(seed + 1)}>
            Preview another candidate
          </Button>
        </Group>
      </Group>
      <Loaded query={query}>
        {drawn => (
          <div className={css.halves}>
            <section aria-labelledby="before">
              <Title order={2} id="before" fz="1.3rem" mb="sm">
                Before the start
              </Title>
              <BeforeStart preview={drawn} />
            </section>
            <section aria-labelledby="after">
              <Title order={2} id="after" fz="1.3rem" mb="sm">
                After the start
              </Title>
              <DrawnItems preview={drawn} plan={plan} teamId={teamId} />
            </section>
          </div>
        )}
      </Loaded>
    </>
  )
}
