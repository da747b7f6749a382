import { Button, Group, NumberInput, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { Loaded } from '../parts/States'
import { BeforeStart } from './BeforeStart'
import { Drawn } from './Drawn'
import type { Plan } from './form'
import css from './Preview.module.css'
import { preview } from './requests'

const MOST = 2 ** 31 - 1

interface Props {
  teamId: string
  assessmentId: string
  plan: Plan
}

/** The page before the start, and what is drawn: for as many candidates as one wants to look at. */
export function Preview({ teamId, assessmentId, plan }: Props) {
  const [params, setParams] = useSearchParams()
  const seed = Math.min(Math.max(Math.trunc(Number(params.get('candidate'))) || 1, 1), MOST)
  const query = useQuery(preview({ team_id: teamId, assessment_id: assessmentId }, seed))
  const show = (candidate: number) => setParams({ candidate: String(candidate) }, { replace: true })
  return (
    <>
      <Group justify="space-between" align="flex-end" mb="lg">
        <Text c="dimmed" maw="34rem">
          The saved plan, as candidates get it. Nothing is stored, and no real candidate has one of these
          draws.
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
            Another candidate
          </Button>
        </Group>
      </Group>
      <Loaded query={query}>
        {told => (
          <div className={css.halves}>
            <section aria-labelledby="before">
              <Title order={2} id="before" fz="1.3rem" mb="sm">
                Before the start
              </Title>
              <BeforeStart told={told} />
            </section>
            <section aria-labelledby="after">
              <Title order={2} id="after" fz="1.3rem" mb="sm">
                After the start
              </Title>
              <Drawn told={told} plan={plan} teamId={teamId} />
            </section>
          </div>
        )}
      </Loaded>
    </>
  )
}
