import { Anchor, Button, Checkbox, Progress, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Schemas } from '../api/client'
import { many } from '../desk/format'
import { Sure } from '../desk/Parts'
import { Broken, Loaded } from '../parts/States'
import { useTitle } from '../parts/title'
import { atLeast, type Team } from '../team/TeamFrame'
import { Earlier, Ready } from './Diff'
import { ownChallenge } from './data'
import css from './Rejudge.module.css'
import {
  isUndecided,
  type Of,
  outdated,
  type Rejudge as Rejudged,
  rejudges,
  useBegin,
  useDecide,
} from './rejudges'

/** Judging finished answers on the published version: what would be, how far it is, what changes, and what was before. */
export function Rejudge({ team }: { team: Team }) {
  const { challengeId = '' } = useParams()
  const of = { teamId: team.id, id: challengeId }
  const own = useQuery(ownChallenge(team.id, challengeId))
  const query = useQuery(rejudges(of))
  useTitle(own.data ? `Judge again: ${own.data.title}` : 'Judge again')
  return (
    <Loaded query={own}>
      {found => (
        <>
          <Anchor component={Link} to={`/teams/${team.id}/challenges/${challengeId}`} size="sm">
            {found.title}
          </Anchor>
          <Title order={2}>Judge again</Title>
          <Text c="dimmed" mt={4} mb="lg" maw="40rem">
            Finished answers are tried on the version that is published now. You see what would change for
            whom. Nothing counts before you apply it.
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
      {now?.state === 'ready' && <Ready of={of} rejudge={now} writes={writes} />}
      {!now && <Choose of={of} writes={writes} />}
      {decided.length > 0 && <Earlier of={of} items={decided} />}
    </>
  )
}

function UnderWay({ of, rejudge, writes }: { of: Of; rejudge: Rejudged; writes: boolean }) {
  const all = rejudge.waiting + rejudge.judging + rejudge.judged
  const drop = useDecide(of, rejudge)
  return (
    <section className={css.card} aria-label="Under way">
      <div role="status">
        <Title order={3} fz="1.15rem">
          Judging on version {rejudge.version}
        </Title>
        <Progress
          mt="sm"
          value={all ? (100 * rejudge.judged) / all : 100}
          aria-label={`${rejudge.judged} of ${all} judged`}
        />
        <Text size="sm" c="dimmed" mt="xs">
          {rejudge.judged} of {many(all, 'answer')} judged, behind what people send meanwhile. You may leave
          this page.
        </Text>
      </div>
      {writes && (
        <div className={css.deeds}>
          <Sure label="Drop it" title="Drop this rejudge?" act={() => drop.mutateAsync('drop')}>
            <Text size="sm">Everything goes on to count as it does. You can begin anew.</Text>
          </Sure>
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
          return <Text>No version is published. Publish the one that answers shall be judged on.</Text>
        if (found.assessments.length === 0)
          return <Text>Every finished answer counts by version {found.version} already.</Text>
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
  const begin = useBegin(of)
  const answers = assessments
    .filter(each => chosen.includes(each.id))
    .reduce((sum, each) => sum + each.submissions, 0)
  return (
    <section className={css.card}>
      <Title order={3} fz="1.15rem">
        Answers that count by an older version than {version}
      </Title>
      <Checkbox.Group value={chosen} onChange={setChosen} aria-label="Assessments">
        <div className={css.choices}>
          {assessments.map(each => (
            <Checkbox
              key={each.id}
              value={each.id}
              disabled={!writes}
              label={each.name}
              description={`${many(each.submissions, 'answer')} of ${many(each.people, 'person', 'people')}`}
            />
          ))}
        </div>
      </Checkbox.Group>
      {writes ? (
        <Button loading={begin.isPending} disabled={answers === 0} onClick={() => begin.mutate(chosen)}>
          Judge {many(answers, 'answer')} again
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          Authors and owners of the team can have them judged again.
        </Text>
      )}
      {begin.error && <Broken error={begin.error} />}
    </section>
  )
}
