import { Text, Title } from '@mantine/core'
import type { Schemas } from '@/api/client'
import { formatDateTime } from '@/shared/format/dates'
import { Markdown } from '@/shared/markdown/Markdown'
import { describeLines } from '@/shared/ui/lineRanges'
import { NumberedSource } from '@/shared/ui/NumberedSource'
import css from './AnswerInWords.module.css'

/** A question, the text with which a candidate answered it, and the lines of code that the text is about. */
export function AnswerInWords({ answer }: { answer: Schemas['WrittenAnswer'] }) {
  const { prompt, text, saved_at, about } = answer
  return (
    <>
      <div className={css.prompt}>
        <Markdown source={prompt} />
      </div>
      {text.trim() ? (
        <>
          {/* Plain text: a candidate writes for people, and nothing of it is run or rendered. */}
          <p className={`g-typed ${css.answer}`}>{text}</p>
          {saved_at && (
            <Text size="xs" c="dimmed" mt={4}>
              Last changed {formatDateTime(saved_at)}
            </Text>
          )}
        </>
      ) : (
        <Text size="sm" c="dimmed">
          Nothing was written.
        </Text>
      )}
      {about && <Code about={about} />}
    </>
  )
}

function Code({ about }: { about: Schemas['AboutCode'] }) {
  const { marked, changed, title } = about
  const source = marked?.source ?? about.source
  if (!source)
    return (
      <Text size="sm" c="dimmed" mt="sm">
        The question is about “{title}”, for which no code was written.
      </Text>
    )
  return (
    <section>
      <Title order={4} fz="0.95rem" mt="md">
        The code of “{title}”
      </Title>
      <Text size="sm" c="dimmed">
        {marked ? `The candidate marked ${describeLines(marked.lines)}.` : 'The candidate marked no lines.'}
        {changed && ' The code was changed afterwards; this is what was marked.'}
      </Text>
      <NumberedSource label={`Marked code of ${title}`} source={source} marked={marked?.lines ?? []} />
    </section>
  )
}
