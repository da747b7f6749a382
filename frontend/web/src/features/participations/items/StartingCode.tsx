import { Button } from '@mantine/core'
import type { OpenedItem } from '../requests'
import type { AnswerAutosave } from '../saving/AnswerAutosave'
import { useAnswerText } from '../saving/useAutosaves'

interface Props {
  opened: OpenedItem
  starter: string
  keeper: AnswerAutosave
  closed: boolean
}

/** Switches a follow-up between the candidate's own answer and the starter code, while the text is one of the two. */
export function StartingCode({ opened: { own_answer }, starter, keeper, closed }: Props) {
  const { text } = useAnswerText(keeper)
  if (closed || own_answer == null || (text !== own_answer && text !== starter)) return null
  const own = text === own_answer
  return (
    <Button size="xs" variant="subtle" onClick={() => keeper.replace(own ? starter : own_answer)}>
      {own ? 'Use the starter code' : 'Start from your answer'}
    </Button>
  )
}
