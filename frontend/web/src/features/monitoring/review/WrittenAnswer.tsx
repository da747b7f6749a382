import { Spoiler, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { AnswerInWords } from '@/features/written-answers'
import { Markdown } from '@/shared/markdown/Markdown'
import { Loaded } from '@/shared/ui/QueryStates'
import { type Item, type Person, writtenAnswer } from '../requests'
import css from './CandidateReport.module.css'

/** The text with which a candidate answered a question, and what a good answer says. */
export function WrittenAnswer({ of, item }: { of: Person; item: Item }) {
  const query = useQuery(writtenAnswer(of, item.position, item.draft?.revision ?? 0))
  return (
    <Loaded query={query}>
      {found => (
        <div className={css.text}>
          <AnswerInWords answer={found} />
          {found.guide && (
            <section className={css.guide} aria-label={`Guide for ${item.title}`}>
              <Title order={4} fz="0.95rem" mb={4}>
                What a good answer says
              </Title>
              <Spoiler maxHeight={160} showLabel="Show all" hideLabel="Show less">
                <Markdown source={found.guide} />
              </Spoiler>
            </section>
          )}
          {item.to_review > 0 && (
            <Text size="sm" mt="sm" fw={600}>
              This text awaits its review: give 0 to {item.points} points.
            </Text>
          )}
        </div>
      )}
    </Loaded>
  )
}
