import { Tabs, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { workspaceStyles as css, Given, Limits, Samples, SplitPane } from '@/features/challenges'
import { pluralize } from '@/shared/format/numbers'
import { Markdown } from '@/shared/markdown/Markdown'
import type { OpenedItem, Participation } from '../requests'
import type { AnswerAutosave } from '../saving/AnswerAutosave'
import type { Autosaves } from '../saving/useAutosaves'
import { ItemWorkspace } from './ItemWorkspace'
import { SentAnswers } from './SentAnswers'

interface Props {
  participation: Participation
  opened: OpenedItem
  challenge: Schemas['ChallengeView']
  keeper: AnswerAutosave
  keepers: Autosaves
  over: boolean
  /** Whether the time of its section is over. */
  ended: boolean
  deadline: string
  onNews: () => void
}

/** A challenge of an assessment: the statement beside the editor. */
export function ChallengeItem(props: Props) {
  const { participation, opened, challenge, keeper, keepers, over, ended, deadline, onNews } = props
  useEffect(() => {
    keepers.show(keeper)
    return () => keepers.show(undefined)
  }, [keepers, keeper])
  // After an extension, texts that could not be saved any more can be saved again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the end moves
  useEffect(() => {
    if (keeper.work.status === 'held') keeper.look()
  }, [keeper, deadline])
  return (
    <SplitPane
      title={challenge.title}
      left={<Reading opened={opened} challenge={challenge} />}
      right={
        <ItemWorkspace
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
  /** The tab that is open first. */
  start?: string
}

/** The statement, the samples, and the submissions; also after the end. */
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
        <span>{challenge.form === 'fix' ? 'find and fix' : 'write code'}</span>
        <span>{pluralize(opened.points, 'point')}</span>
      </div>
      <Tabs value={params.get('tab') ?? start} onChange={look} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="statement">Statement</Tabs.Tab>
          {challenge.given && <Tabs.Tab value="given">given.py</Tabs.Tab>}
          <Tabs.Tab value="samples">Samples</Tabs.Tab>
          <Tabs.Tab value="answers">My submissions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="statement">
          <Markdown source={challenge.statement} />
          <Limits challenge={challenge} />
        </Tabs.Panel>
        <Tabs.Panel value="given">
          <Given challenge={challenge} />
        </Tabs.Panel>
        <Tabs.Panel value="samples">
          {challenge.samples.length ? (
            <Samples challenge={challenge} />
          ) : (
            <Text>This challenge has no samples.</Text>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="answers">
          <SentAnswers sent={opened.sent} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
