import { Tabs, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import type { Schemas } from '../api/client'
import type { OpenedItem, Participation } from '../api/taking'
import { Limits, Samples } from '../challenge/Reading'
import { Split } from '../challenge/Split'
import css from '../pages/Challenge.module.css'
import { Markdown } from '../parts/Markdown'
import { Answers } from './Answers'
import type { Keeper } from './keeper'
import type { Keepers } from './keepers'
import { Workplace } from './Workplace'

interface Props {
  participation: Participation
  opened: OpenedItem
  challenge: Schemas['ChallengeView']
  keeper: Keeper
  keepers: Keepers
  over: boolean
  /** The time of its section is over. */
  ended: boolean
  deadline: string
  onNews: () => void
}

/** A challenge of an assessment: what is asked beside where it is answered. */
export function ChallengeItem(props: Props) {
  const { participation, opened, challenge, keeper, keepers, over, ended, deadline, onNews } = props
  useEffect(() => {
    keepers.show(keeper)
    return () => keepers.show(undefined)
  }, [keepers, keeper])
  // Time was given: what could not be saved any more can be saved again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the end has moved
  useEffect(() => {
    if (keeper.work.status === 'held') keeper.look()
  }, [keeper, deadline])
  return (
    <Split
      left={<Reading opened={opened} challenge={challenge} />}
      right={
        <Workplace
          participation={participation}
          opened={opened}
          challenge={challenge}
          keeper={keeper}
          closed={over || ended}
          onNews={onNews}
        />
      }
    />
  )
}

interface ReadingProps {
  opened: OpenedItem
  challenge: Schemas['ChallengeView']
  /** The part that is shown first. */
  start?: string
}

/** What is asked, the samples, and what was sent; after the end too. */
export function Reading({ opened, challenge, start = 'statement' }: ReadingProps) {
  const [params, setParams] = useSearchParams()
  const look = (tab: string | null) =>
    setParams(
      before => {
        before.delete('tab')
        if (tab && tab !== start) before.set('tab', tab)
        return before
      },
      { replace: true },
    )
  return (
    <>
      <Title order={1} fz="1.7rem">
        {challenge.title}
      </Title>
      <div className={css.facts}>
        <span>{challenge.form === 'fix' ? 'fix what is there' : 'write it'}</span>
        <span>{opened.points} points</span>
      </div>
      <Tabs value={params.get('tab') ?? start} onChange={look} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="statement">Statement</Tabs.Tab>
          <Tabs.Tab value="samples">Samples</Tabs.Tab>
          <Tabs.Tab value="answers">My answers</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="statement">
          <Markdown source={challenge.statement} />
          <Limits challenge={challenge} />
        </Tabs.Panel>
        <Tabs.Panel value="samples">
          {challenge.samples.length ? <Samples challenge={challenge} /> : <Text>There are none.</Text>}
        </Tabs.Panel>
        <Tabs.Panel value="answers">
          <Answers sent={opened.sent} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
