import { Container, Text, Textarea, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Schemas } from '@/api/client'
import { pluralize } from '@/shared/format/numbers'
import { Markdown } from '@/shared/markdown/Markdown'
import css from '../Participation.module.css'
import { type ItemCard, item, type OpenedItem, type Participation } from '../requests'
import type { AnswerAutosave } from '../saving/AnswerAutosave'
import { replacedRange } from '../saving/typedChange'
import { type Autosaves, useAnswerText, useShownAutosave } from '../saving/useAutosaves'
import { OtherVersion } from './OtherVersion'
import { OwnCode } from './OwnCode'

interface Props {
  participation: Participation
  card: ItemCard
  opened: OpenedItem
  question: Schemas['TextQuestion']
  keeper: AnswerAutosave
  keepers: Autosaves
  /** Whether its time is over. */
  closed: boolean
  deadline: string
  onNews: () => void
}

/** A question that is answered with a text. The text is saved while it is written, and its last version counts. */
export function TextItem(props: Props) {
  const { participation, card, opened, question, keeper, keepers, closed, deadline, onNews } = props
  useShownAutosave(keepers, keeper, deadline)
  useCurrentCode(participation, opened.position, keepers, question.about !== null)
  const work = useAnswerText(keeper)
  const isAnswered = work.text.trim() !== ''
  const isNews = work.status === 'saved' && isAnswered !== card.sent > 0
  useEffect(() => {
    if (isNews) onNews()
  }, [isNews, onNews])
  const pasted = useRef(0)
  const field = (
    <>
      <Textarea
        label="Your answer"
        description={
          closed
            ? 'Time is up. The text that was saved in time counts.'
            : 'Saved while you write. The last version counts, and a person reads it.'
        }
        autosize
        minRows={8}
        maxRows={30}
        maxLength={question.max_length}
        value={work.text}
        readOnly={closed}
        error={work.status === 'refused' && work.message}
        onPaste={event => {
          pasted.current = event.clipboardData.getData('text').length
        }}
        onChange={event => {
          const text = event.currentTarget.value
          keeper.change(text, { edits: [replacedRange(work.text, text)], pasted: pasted.current })
          pasted.current = 0
        }}
      />
      <div className={css.under}>
        <Text size="sm" c="dimmed">
          {work.text.length.toLocaleString()} of {pluralize(question.max_length, 'character')}
        </Text>
        <OtherVersion keeper={keeper} />
      </div>
    </>
  )
  return (
    <Container size={question.about ? 'xl' : 'sm'} py="xl" w="100%">
      <QuestionHead card={card} question={question} />
      {question.about ? (
        <div className={css.beside}>
          <OwnCode
            participation={participation}
            position={opened.position}
            about={question.about}
            marks={keepers.marksOf(opened.position)}
            closed={closed}
          />
          <div>{field}</div>
        </div>
      ) : (
        field
      )}
    </Container>
  )
}

/** Loads the item again when its page opens, because the candidate may have changed the code that it is about. */
function useCurrentCode(found: Participation, position: number, keepers: Autosaves, isAboutCode: boolean) {
  const client = useQueryClient()
  useEffect(() => {
    if (!isAboutCode) return
    const { queryKey } = item(found.id, position)
    keepers.flush().then(() => client.invalidateQueries({ queryKey }))
  }, [client, keepers, found.id, position, isAboutCode])
}

export function QuestionHead({ card, question }: { card: ItemCard; question: Schemas['TextQuestion'] }) {
  return (
    <>
      <Title order={1} fz="1.7rem">
        {card.title}
      </Title>
      <Text c="dimmed" mt={4} mb="md">
        {pluralize(card.points, 'point')}, given by a reviewer
      </Text>
      <div className={css.prompt}>
        <Markdown source={question.prompt} />
      </div>
    </>
  )
}
