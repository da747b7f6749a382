import { Alert, Tabs, Title } from '@mantine/core'
import { useSearchParams } from 'react-router'
import type { Schemas } from '@/api/client'
import { workspaceStyles as css, Given, Limits, Samples, SplitPane } from '@/features/challenges'
import { pluralize } from '@/shared/format/numbers'
import { Markdown } from '@/shared/markdown/Markdown'
import { AssistantChat } from '../assistant/AssistantChat'
import type { ItemCard, OpenedItem, Participation } from '../requests'
import type { AnswerAutosave } from '../saving/AnswerAutosave'
import { type Autosaves, useShownAutosave } from '../saving/useAutosaves'
import { ItemWorkspace } from './ItemWorkspace'
import { hidesVerdicts, sectionOf } from './itemStates'
import { SentAnswers } from './SentAnswers'
import { describeSubmissionRules } from './SubmissionLimits'

interface Props {
  participation: Participation
  opened: OpenedItem
  challenge: Schemas['ChallengeView']
  keeper: AnswerAutosave
  keepers: Autosaves
  over: boolean
  /** Whether the time of its section is over. */
  ended: boolean
  card: ItemCard
  deadline: string
  onNews: () => void
}

/** A challenge of an assessment: the statement beside the editor. */
export function ChallengeItem(props: Props) {
  const { participation, opened, challenge, keeper, keepers, over, ended, card, deadline, onNews } = props
  const handedIn = card.handed_in_at !== null
  useShownAutosave(keepers, keeper, deadline)
  return (
    <SplitPane
      title={challenge.title}
      left={
        <Reading
          participation={participation}
          opened={opened}
          challenge={challenge}
          closed={over || ended || handedIn}
          code={() => {
            keeper.flush()
            return keeper.work.text
          }}
        />
      }
      right={
        <ItemWorkspace
          participation={participation}
          opened={opened}
          challenge={challenge}
          keeper={keeper}
          card={card}
          closed={over || ended || handedIn}
          onNews={onNews}
        />
      }
    />
  )
}

interface ReadingProps {
  participation: Participation
  opened: OpenedItem
  challenge: Schemas['ChallengeView']
  /** The tab that is open first. */
  start?: string
  /** Whether the time is over. */
  closed: boolean
  /** Saves the present code and returns it. */
  code?: () => string
}

/** The statement, the samples, the submissions and the assistant; also after the end. */
export function Reading(props: ReadingProps) {
  const { participation, opened, challenge, start = 'statement', closed, code } = props
  const assistant = sectionOf(participation, opened.position)?.assistant ?? 'none'
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
        {assistant === 'own' && <span>your own AI assistant is allowed</span>}
      </div>
      <Tabs value={params.get('tab') ?? start} onChange={look} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="statement">Statement</Tabs.Tab>
          {challenge.given && <Tabs.Tab value="given">given.py</Tabs.Tab>}
          <Tabs.Tab value="samples">Samples</Tabs.Tab>
          <Tabs.Tab value="answers">My submissions</Tabs.Tab>
          {assistant === 'provided' && <Tabs.Tab value="assistant">Assistant</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="statement">
          {opened.own_answer !== null && opened.own_answer !== undefined && (
            <Alert color="indigo" variant="light" mb="md" title="Follow-up to your answer">
              The editor starts with the code that you handed in. Change it so that it does what this task
              asks. To write from scratch, choose “Use the starter code” below the editor.
            </Alert>
          )}
          {describeSubmissionRules(opened.rules) && (
            <Alert color="indigo" variant="light" mb="md" title="Submissions">
              {describeSubmissionRules(opened.rules)} You can run the samples as often as you like.
            </Alert>
          )}
          <Markdown source={challenge.statement} />
          <Limits challenge={challenge} />
        </Tabs.Panel>
        <Tabs.Panel value="given">
          <Given challenge={challenge} />
        </Tabs.Panel>
        <Tabs.Panel value="samples">
          <Samples challenge={challenge} />
        </Tabs.Panel>
        <Tabs.Panel value="answers">
          <SentAnswers sent={opened.sent} held={hidesVerdicts(participation)} />
        </Tabs.Panel>
        {assistant === 'provided' && (
          <Tabs.Panel value="assistant">
            <AssistantChat
              participationId={participation.id}
              position={opened.position}
              closed={closed}
              {...(code && { code })}
            />
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  )
}
