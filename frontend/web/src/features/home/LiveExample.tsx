import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { Link } from 'react-router'
import { groupTests, type Judging, queueMessage, useJudging } from '@/features/judging'
import css from '@/shared/ui/Page.module.css'

const ANSWER = `def attention(q, k, v, mask=None):
    scores = q @ k.mT / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    return scores.softmax(-1) @ v`
const SHOWN = 6

/** An answer that is nearly right. Visitors run it with the real tests of the challenge `slug`, without an account. */
export function LiveExample({ slug }: { slug: string | undefined }) {
  const { state, send } = useJudging(slug ?? '', 'cpu')
  const busy = ['sending', 'queued', 'judging'].includes(state.phase)
  return (
    <figure className={css.card} aria-label="An example answer and its test results" style={{ margin: 0 }}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also with the keyboard */}
      <pre tabIndex={0}>{ANSWER}</pre>
      <Group className={css.run} justify="space-between" gap="sm">
        <Text size="xs" c="dimmed" role="status">
          {summary(state)}
        </Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerPlay size={14} />}
          loading={busy}
          disabled={!slug}
          onClick={() => send('submit', `import torch\n\n\n${ANSWER}\n`)}
        >
          Run it
        </Button>
      </Group>
      {state.tests.length > 0 && <Results state={state} slug={slug ?? ''} />}
    </figure>
  )
}

function summary(state: Judging): string {
  if (state.phase === 'idle') return 'Nearly right. Run it to see which tests fail.'
  if (state.phase === 'refused') return state.error?.message ?? 'Something went wrong. Try again.'
  const passed = state.tests.filter(each => each.verdict === 'AC').length
  if (state.end) return `${passed} of ${state.tests.length} tests passed`
  return state.total ? `${state.tests.length} of ${state.total} tests` : queueMessage(state)
}

/** Failed tests first, then passed ones, as far as there is room. */
function Results({ state, slug }: { state: Judging; slug: string }) {
  const groups = groupTests(state.tests)
  const shown = [...groups.filter(each => each.failed.length), ...groups.filter(each => !each.failed.length)]
  return (
    <ul className={css.tests}>
      {shown.slice(0, SHOWN).map(({ id, name, failed }) => (
        <li key={id}>
          <span className={failed.length ? css.fail : css.pass}>{failed.length ? '✗' : '✓'}</span> {name}
        </li>
      ))}
      {state.end && (
        <li>
          <Anchor component={Link} to={`/challenges/${slug}`} inherit>
            Open the challenge and fix it
          </Anchor>
        </li>
      )}
    </ul>
  )
}
