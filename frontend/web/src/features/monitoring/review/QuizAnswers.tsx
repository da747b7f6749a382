import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '@/api/client'
import { Code, Inline } from '@/shared/markdown/Markdown'
import { Loaded } from '@/shared/ui/QueryStates'
import { type Item, type Person, quiz } from '../requests'
import css from './CandidateReport.module.css'

type Question = Schemas['QuestionView']

/** The candidate's answer to each question, beside the correct one. */
export function QuizAnswers({ of, item }: { of: Person; item: Item }) {
  const query = useQuery(quiz(of, item.position))
  return (
    <Loaded query={query}>
      {found => (
        <ol className={css.questions}>
          {found.questions.map(question => (
            <li key={question.id}>
              <Inline source={question.prompt} />
              {question.code && <Code source={question.code} />}
              <Answer question={question} />
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  )
}

function Answer({ question }: { question: Question }) {
  const { mark } = question
  if (!mark)
    return (
      <Text size="sm" c="dimmed">
        Not answered.
      </Text>
    )
  return (
    <div className={css.given}>
      <span className={mark.right ? css.right : css.wrong}>{mark.right ? '✓ correct' : '✗ incorrect'}</span>
      <span>
        <Spoken question={question} value={mark.answer} />
        {!mark.right && (
          <span className={css.soft}>
            {' · correct answer: '}
            <Spoken question={question} value={mark.key} />
          </span>
        )}
      </span>
    </div>
  )
}

/** An answer as text: option ids become their texts. */
function Spoken({ question, value }: { question: Question; value: unknown }) {
  const parts = [...(question.parts ?? []), ...(question.others ?? [])]
  const text = (id: unknown) => parts.find(part => part.id === id)?.text ?? String(id)
  if (Array.isArray(value))
    return <Inline source={value.map(text).join(question.kind === 'order' ? ' → ' : '; ')} />
  if (value && typeof value === 'object')
    return (
      <Inline
        source={Object.entries(value)
          .map(([left, right]) => `${text(left)}: ${text(right)}`)
          .join('; ')}
      />
    )
  return <Inline source={text(value)} />
}
