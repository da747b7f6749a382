import { Anchor, NativeSelect, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconEqual } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import type { Schemas } from '@/api/client'
import { ownInput, useMe } from '@/api/queries'
import type { EditorSettings } from '@/features/editor'
import type { Judging } from '@/features/judging'
import { judgingResultsStyles as results, summarize } from '@/features/judging'
import { Loaded } from '@/shared/ui/QueryStates'
import css from './OwnInput.module.css'
import { RunnableEditor } from './RunnableEditor'

type Offer = Schemas['OwnInputOffer']

interface Props {
  slug: string
  settings: EditorSettings
  /** The state of the last comparison. */
  state: Judging
  onRun: (input: string) => void
  onCancel: (id: string) => void
}

/** An input that the user writes. The answer and the reference are called with it, and the results are compared. */
export default function OwnInput(props: Props) {
  // Asked only for a user who opens this: in an assessment, the request is refused and recorded.
  const query = useQuery(ownInput(props.slug))
  return <Loaded query={query}>{offer => <Comparison {...props} offer={offer} />}</Loaded>
}

function Comparison({ slug, offer, settings, state, onRun, onCancel }: Props & { offer: Offer }) {
  const [first] = offer.examples
  const [input, setInput] = useLocalStorage({
    key: `input:${slug}`,
    defaultValue: first?.input ?? '',
    getInitialValueInEffect: false,
  })
  const closed = useMe()?.role === 'guest' || offer.left === 0
  return (
    <div className={css.pane}>
      <p className={css.intro}>
        The call in the last line runs with your code and with the reference. You see whether the results
        match.
      </p>
      <RunnableEditor
        label="Your input, Python"
        value={input}
        onChange={setInput}
        settings={settings}
        height={112}
        action="Compare with the reference"
        icon={<IconEqual size={15} />}
        state={state}
        onRun={() => onRun(input)}
        onCancel={onCancel}
        closed={closed}
        note={<Left offer={offer} />}
        controls={<Examples offer={offer} onChoose={setInput} />}
      />
      {state.end && <Outcome end={state.end} />}
    </div>
  )
}

/** Examples from the sample tests, one for each function or module. */
function Examples({ offer, onChoose }: { offer: Offer; onChoose: (text: string) => void }) {
  const names = offer.examples.map(each => each.name)
  return (
    <NativeSelect
      size="xs"
      aria-label="Insert an example"
      value=""
      data={[{ value: '', label: 'Insert an example' }, ...names]}
      onChange={event => {
        const chosen = offer.examples.find(each => each.name === event.currentTarget.value)
        if (chosen) onChoose(chosen.input)
      }}
    />
  )
}

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

function Left({ offer: { left, per_hour, next_at } }: { offer: Offer }) {
  const guest = useMe()?.role === 'guest'
  const { pathname } = useLocation()
  if (guest)
    return (
      <>
        <Anchor
          component={Link}
          size="xs"
          underline="always"
          to={`/sign-in?new=1&then=${encodeURIComponent(pathname)}`}
        >
          Create an account
        </Anchor>{' '}
        to compare with the reference.
      </>
    )
  if (next_at)
    return `All ${per_hour} inputs of this hour are used. Next one at ${clock.format(new Date(next_at))}.`
  return `${left} of ${per_hour} left this hour`
}

interface Facts {
  matches: boolean
}

function Outcome({ end }: { end: Schemas['SubmissionView'] }) {
  const [test] = end.tests
  const found = test?.exhibits.find(each => each.kind === 'comparison')
  const matches = (found?.data as unknown as Facts | undefined)?.matches
  const text = end.status === 'cancelled' ? 'Cancelled.' : (found?.title ?? problem(end))
  const trace = found && test?.message !== found.title ? test?.message : ''
  const printed = test?.stdout || end.output
  return (
    <section aria-label="Result of your input" aria-live="polite">
      <p className={css.outcome} data-matches={matches}>
        <span aria-hidden="true">{matches ? '✓' : '✗'}</span>
        <span>{text}</span>
      </p>
      {trace && <pre className={`${results.out} ${css.out} ${css.trace}`}>{trace}</pre>}
      {printed && (
        <>
          <Text size="xs" c="dimmed" px="sm">
            Output
          </Text>
          <pre className={`${results.out} ${css.out}`}>{printed}</pre>
        </>
      )}
    </section>
  )
}

/** Why nothing was compared: a mistake in the input or in the answer, or a limit. */
function problem(end: Schemas['SubmissionView']): string {
  const error = end.compile_error
  if (error) return `Your code does not compile: ${error.line ? `line ${error.line}: ` : ''}${error.message}`
  const [test] = end.tests
  return test?.message && end.verdict !== 'JE' ? test.message : (summarize(end) ?? '')
}
