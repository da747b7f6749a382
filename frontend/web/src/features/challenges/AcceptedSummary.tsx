import { Button, Skeleton } from '@mantine/core'
import {
  IconArrowRight,
  IconBook2,
  IconMessageCircleQuestion,
  IconMessages,
  IconUsers,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { challenge, challengeProgress, challenges, comparison, topics } from '@/api/queries'
import { nextChallenge } from '@/features/catalogue'
import { useProgress } from '@/features/progress'
import { useSpeedResult } from '@/features/speed-boards'
import { pluralize } from '@/shared/format/numbers'
import css from './AcceptedSummary.module.css'
import { useShowView } from './views'

type End = Schemas['SubmissionView']

/** Below “Accepted”: how the answer did, and where to go from here. */
export function AcceptedSummary({ slug, end }: { slug: string; end: End }) {
  const compared = useQuery(comparison(end.id))
  const scored = useQuery(challenge(slug)).data?.scored
  return (
    <section className={css.band} aria-label="Summary">
      <dl className={css.figures}>
        <Figure name="Tests" value={`${end.tests.length} of ${pluralize(end.tests.length, 'test')}`} />
        <Figure name="CPU time" value={end.cpu_s == null ? '–' : `${(1000 * end.cpu_s).toFixed(0)} ms`}>
          {compared.data && beats(compared.data.beats_cpu, 'Faster')}
          {compared.isPending && <Skeleton h={12} w={90} mt={4} />}
        </Figure>
        <Figure name="Memory" value={end.memory_mb == null ? '–' : `${end.memory_mb.toFixed(0)} MB`}>
          {compared.data && beats(compared.data.beats_memory, 'Smaller')}
          {compared.isPending && <Skeleton h={12} w={90} mt={4} />}
        </Figure>
        <Figure name="Leaderboard" value={compared.data ? pointsOf(compared.data) : ''}>
          {compared.data && REASONS[compared.data.reason ?? 'earned']}
          {compared.isPending && <Skeleton h={12} w={90} mt={4} />}
        </Figure>
        {scored && <Measured slug={slug} submission={end.id} quantity={scored.quantity} />}
      </dl>
      <Ways slug={slug} />
    </section>
  )
}

/** On a scored challenge: how fast the answer is, and its place. */
function Measured(props: Parameters<typeof useSpeedResult>[0]) {
  const { value, note } = useSpeedResult(props)
  // Answers in a mock interview are not measured.
  const own = useQuery(challengeProgress(props.slug, true)).data
  if (!own || own.interview) return null
  return (
    <Figure name={props.quantity === 'speed' ? 'Measured speed' : 'Measured memory'} value={value}>
      <span role="status">{note}</span>
    </Figure>
  )
}

const REASONS = {
  earned: 'Earned with this answer.',
  solved_before: 'You solved it before.',
  editorial_open: 'The editorial was open.',
}

const pointsOf = ({ earned }: Schemas['Comparison']) =>
  earned ? `+${pluralize(earned, 'point')}` : 'No points'

function beats(share: number | null, word: 'Faster' | 'Smaller'): string {
  if (share === null) return 'Too few answers to compare with.'
  return `${word} than ${Math.round(100 * share)}% of accepted answers.`
}

function Figure({ name, value, children }: { name: string; value: string; children?: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={css.value}>{value}</dd>
      <dd className={css.note}>{children}</dd>
    </div>
  )
}

function Ways({ slug }: { slug: string }) {
  const showView = useShowView()
  const all = useQuery(challenges).data ?? []
  const pages = useQuery(topics).data ?? []
  const solved = useProgress()?.solved ?? []
  const own = useQuery(challengeProgress(slug, true)).data
  const followUps = useQuery(challenge(slug)).data?.follow_ups ?? []
  // During a mock interview, the editorial is closed and the interview decides what comes next.
  if (!own || own.interview) return null
  const next = nextChallenge(all, pages, slug, solved)
  const quiz = pages.find(each => each.challenges.includes(slug) && each.questions > 0)
  const read = { size: 'xs', variant: 'default', onClick: () => showView('read') } as const
  return (
    <nav className={css.ways} aria-label="What to do next">
      {followUps.map(each => (
        <Button
          key={each.id}
          size="xs"
          variant="light"
          component={Link}
          to={`/challenges/${each.id}`}
          rightSection={<IconArrowRight size={15} />}
        >
          Follow-up: {each.title}
        </Button>
      ))}
      {next && (
        <Button
          size="xs"
          component={Link}
          to={`/challenges/${next.slug}`}
          rightSection={<IconArrowRight size={15} />}
          className={css.next}
        >
          Next: {next.title}
        </Button>
      )}
      <Button {...read} component={Link} to="?tab=editorial" leftSection={<IconBook2 size={15} />}>
        Editorial
      </Button>
      <Button {...read} component={Link} to="?tab=editorial#answers" leftSection={<IconUsers size={15} />}>
        Other people’s answers
      </Button>
      <Button {...read} component={Link} to="?tab=discussion" leftSection={<IconMessages size={15} />}>
        Discussion
      </Button>
      {quiz && (
        <Button
          size="xs"
          variant="default"
          component={Link}
          to={`/topics/${quiz.id}/quiz`}
          leftSection={<IconMessageCircleQuestion size={15} />}
        >
          Quiz
        </Button>
      )}
    </nav>
  )
}
