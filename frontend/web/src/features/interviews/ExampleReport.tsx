import { Text, Title } from '@mantine/core'
import css from './Interview.module.css'
import { type ReportItem, ReportItems } from './ReportItems'

const ITEMS: ReportItem[] = [
  {
    kind: 'question',
    title: 'Broadcasting rules',
    minutes: 3,
    state: 'right',
    share: 1,
    seconds: 74,
    tries: 1,
    slug: '',
    topic: 'broadcasting-rules',
  },
  {
    kind: 'question',
    title: 'Gradient accumulation',
    minutes: 3,
    state: 'wrong',
    share: 0,
    seconds: 151,
    tries: 1,
    slug: '',
    topic: 'gradient-accumulation',
  },
  {
    kind: 'challenge',
    title: 'Scaled dot-product attention',
    minutes: 25,
    state: 'wrong',
    share: 0.8,
    seconds: 1394,
    tries: 3,
    slug: 'scaled-dot-product-attention',
    topic: 'attention-from-scratch',
  },
]

/** Shown to users who have had no interview yet: what the report at the end looks like. */
export function ExampleReport() {
  return (
    <section className={css.example} aria-labelledby="example-report">
      <Title order={2} id="example-report" fz="1.15rem">
        What you get at the end
      </Title>
      <Text c="dimmed" size="sm" mt={4} mb="sm">
        An example report. It continues with the topics to study, and adds their cards to your deck.
      </Text>
      <ReportItems items={ITEMS} />
    </section>
  )
}
