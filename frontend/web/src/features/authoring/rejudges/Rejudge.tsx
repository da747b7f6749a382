import { Anchor, Button, Checkbox, Progress, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { atLeast, type Team } from '@/features/teams'
import { pluralize } from '@/shared/format/numbers'
import { ConfirmButton } from '@/shared/forms/ConfirmButton'
import { useTitle } from '@/shared/hooks/useTitle'
import { ErrorMessage, Loaded } from '@/shared/ui/QueryStates'
import { teamChallenge } from '../requests'
import css from './Rejudge.module.css'
import { EarlierRejudges, RejudgeOutcome } from './RejudgeOutcome'
import {
  isUndecided,
  type Of,
  outdated,
  type Rejudge as Rejudged,
  rejudges,
  useDecideRejudge,
  useStartRejudge,
} from './requests'

/** Rejudges answers with the published version: a preview, the progress, the changes, and earlier rejudges. */
export function Rejudge({ team }: { team: Team }) {
  const { challengeId = '' } = useParams()
  const of = { teamId: team.id, id: challengeId }
  const own = useQuery(teamChallenge(team.id, challengeId))
  const query = useQuery(rejudges(of))
  useTitle(own.data ? `Rejudge: ${own.data.title}` : 'Rejudge')
  return (
    <Loaded query={own}>
      {found => (
        <>
          <Anchor component={Link} to={`/teams/${team.id}/challenges/${challengeId}`} size="sm">
            {found.title}
          </Anchor>
          <Title order={2}>Rejudge</Title>
          <Text c="dimmed" mt={4} mb="lg" maw="40rem">
            Judge submitted answers again with the published version. You see what would change for each
            candidate; nothing changes until you apply the result.
          </Text>
          <Loaded query={query}>
            {items => <Shown of={of} items={items} writes={atLeast(team, 'author')} />}
          </Loaded>
        </>
      )}
    </Loaded>
  )
}

interface ShownProps {
  of: Of
  items: Rejudged[]
  writes: boolean
}

function Shown({ of, items, writes }: ShownProps) {
  const now = items.find(isUndecided)
  const decided = items.filter(each => !isUndecided(each))
  return (
    <>
      {now?.state === 'trying' && <UnderWay of={of} rejudge={now} writes={writes} />}
      {now?.state === 'ready' && <RejudgeOutcome of={of} rejudge={now} writes={writes} />}
      {!now && <Choose of={of} writes={writes} />}
      {decided.length > 0 && <EarlierRejudges of={of} items={decided} />}
    </>
  )
}

function UnderWay({ of, rejudge, writes }: { of: Of; rejudge: Rejudged; writes: boolean }) {
  const all = rejudge.waiting + rejudge.judging + rejudge.judged
  const drop = useDecideRejudge(of, rejudge)
  return (
    <section className={css.card} aria-label="In progress">
      <div role="status">
        <Title order={3} fz="1.15rem">
          Rejudging with version {rejudge.version}
          {rejudge.never_lower && ', never lowering a score'}
        </Title>
        <Progress
          mt="sm"
          value={all ? (100 * rejudge.judged) / all : 100}
          aria-label={`${rejudge.judged} of ${all} judged`}
        />
        <Text size="sm" c="dimmed" mt="xs">
          {rejudge.judged} of {pluralize(all, 'answer')} judged. New submissions go first. You can leave this
          page.
        </Text>
      </div>
      {writes && (
        <div className={css.deeds}>
          <ConfirmButton label="Discard" title="Discard this rejudge?" act={() => drop.mutateAsync('drop')}>
            <Text size="sm">All results stay as they are. You can start another rejudge.</Text>
          </ConfirmButton>
        </div>
      )}
    </section>
  )
}

function Choose({ of, writes }: { of: Of; writes: boolean }) {
  return (
    <Loaded query={useQuery(outdated(of))}>
      {found => {
        if (found.version === null)
          return <Text>No version is published. Publish the version to use for the rejudge.</Text>
        if (found.assessments.length === 0)
          return <Text>All answers were already judged with version {found.version}.</Text>
        return <Begin of={of} version={found.version} assessments={found.assessments} writes={writes} />
      }}
    </Loaded>
  )
}

interface BeginProps {
  of: Of
  version: number
  assessments: Schemas['OutdatedAssessment'][]
  writes: boolean
}

function Begin({ of, version, assessments, writes }: BeginProps) {
  const [chosen, setChosen] = useState(() => assessments.map(each => each.id))
  const [neverLower, setNeverLower] = useState(false)
  const begin = useStartRejudge(of)
  const answers = assessments
    .filter(each => chosen.includes(each.id))
    .reduce((sum, each) => sum + each.submissions, 0)
  return (
    <section className={css.card}>
      <Title order={3} fz="1.15rem">
        Answers judged with a version older than {version}
      </Title>
      <Checkbox.Group value={chosen} onChange={setChosen} aria-label="Assessments">
        <div className={css.choices}>
          {assessments.map(each => (
            <Checkbox
              key={each.id}
              value={each.id}
              disabled={!writes}
              label={each.name}
              description={`${pluralize(each.submissions, 'answer')} from ${pluralize(each.people, 'candidate')}`}
            />
          ))}
        </div>
      </Checkbox.Group>
      {writes && (
        <Checkbox
          mb="md"
          checked={neverLower}
          onChange={event => setNeverLower(event.currentTarget.checked)}
          label="Never lower a score"
          description="An answer keeps its earlier result if the new one is lower."
        />
      )}
      {writes ? (
        <Button
          loading={begin.isPending}
          disabled={answers === 0}
          onClick={() => begin.mutate({ assessments: chosen, never_lower: neverLower })}
        >
          Rejudge {pluralize(answers, 'answer')}
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          Authors and owners of the team can rejudge them.
        </Text>
      )}
      {begin.error && <ErrorMessage error={begin.error} />}
    </section>
  )
}
