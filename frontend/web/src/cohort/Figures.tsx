import { Table, Text, Tooltip } from '@mantine/core'
import { lasting, many } from '../desk/format'
import css from './Cohort.module.css'
import { type Item, percent, type Results } from './data'

/** The figures of the whole, and how the scores are spread. */
export function Figures({ results }: { results: Results }) {
  return (
    <div className={css.top}>
      <dl className={css.tiles}>
        <Tile figure={String(results.started)} label="started" />
        <Tile figure={String(results.finished)} label="finished" />
        <Tile figure={percent(results.median)} label="median score" />
        <Tile figure={percent(results.mean)} label="mean score" />
      </dl>
      <Distribution results={results} />
    </div>
  )
}

function Tile({ figure, label }: { figure: string; label: string }) {
  return (
    <div className={css.tile}>
      <dt>{label}</dt>
      <dd>{figure}</dd>
    </div>
  )
}

const [WIDE, HIGH, ABOVE, BELOW] = [600, 120, 22, 26]

/** People by tenths of the points, with the median among them. */
function Distribution({ results }: { results: Results }) {
  const counts = results.distribution
  const most = Math.max(1, ...counts)
  const step = WIDE / counts.length
  const told = counts
    .map((count, tenth) => `${10 * tenth} to ${10 * tenth + 10} %: ${count}`)
    .filter((_, tenth) => counts[tenth])
    .join(', ')
  return (
    <figure className={css.chart}>
      <svg
        viewBox={`0 0 ${WIDE} ${ABOVE + HIGH + BELOW}`}
        role="img"
        aria-label={`People by score. ${told || 'Nobody yet'}.`}
      >
        {counts.map((count, tenth) => {
          const high = Math.max(2, (HIGH * count) / most)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: there are always ten tenths
            <g key={tenth}>
              <rect
                className={count ? css.full : css.none}
                x={tenth * step + 3}
                y={ABOVE + HIGH - high}
                width={step - 6}
                height={high}
                rx={2}
              />
              <text
                className={css.count}
                x={(tenth + 0.5) * step}
                y={ABOVE + HIGH - high - 6}
                textAnchor="middle"
              >
                {count || ''}
              </text>
            </g>
          )
        })}
        {results.median !== null && (
          <path className={css.mark} d={`M${results.median * WIDE} ${ABOVE - 6}V${ABOVE + HIGH}`} />
        )}
        {[0, 20, 40, 60, 80, 100].map(each => (
          <text
            key={each}
            x={(each / 100) * WIDE}
            y={ABOVE + HIGH + 19}
            textAnchor={each === 0 ? 'start' : each === 100 ? 'end' : 'middle'}
          >
            {each} %
          </text>
        ))}
      </svg>
      <figcaption className={css.note}>
        People by tenths of the points; the dashed line is the median.
      </figcaption>
    </figure>
  )
}

const COLUMNS = [
  ['People', 'How many got this item. Where items are drawn, not everybody does.'],
  ['Solved', 'How many reached all of its points.'],
  ['Points reached', 'The mean share of its points. A high share means an easy item.'],
  [
    'Discrimination',
    'The correlation with the rest of the assessment, from −1 to 1. Above 0.3 the item tells strong from weak; near 0 it tells nothing. Fewer than five people: –.',
  ],
  ['Median time', 'From opening the item to the accepted answer, or to the last one.'],
] as const

/** Each item over everybody who got it. */
export function Items({ items }: { items: Item[] }) {
  return (
    <>
      <Table.ScrollContainer minWidth={640}>
        <Table className={css.table} verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Item</Table.Th>
              {COLUMNS.map(([name, told]) => (
                <Table.Th key={name} className={css.right}>
                  <Tooltip label={told} multiline w={260} events={{ hover: true, focus: true, touch: true }}>
                    <button type="button" className={css.sort} aria-label={`${name}: ${told}`}>
                      {name}
                    </button>
                  </Tooltip>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.map(item => (
              <Table.Tr key={`${item.kind} ${item.name}`}>
                <Table.Th scope="row" className={css.words}>
                  {item.title}{' '}
                  <Text span size="sm" c="dimmed" fw={400}>
                    {item.kind === 'quiz' ? 'quiz, ' : ''}
                    {many(item.points, 'point')}
                  </Text>
                </Table.Th>
                <Table.Td className={css.right}>{item.people}</Table.Td>
                <Table.Td className={css.right}>{item.solved}</Table.Td>
                <Table.Td className={css.right}>
                  <span className={css.meter} aria-hidden="true">
                    <span style={{ width: percent(item.difficulty).replace(' ', '') }} />
                  </span>
                  {percent(item.difficulty)}
                </Table.Td>
                <Table.Td className={css.right}>{item.discrimination?.toFixed(2) ?? '–'}</Table.Td>
                <Table.Td className={css.right}>{lasting(item.median_s)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text className={css.note} mt="xs">
        Point at the name of a column, or go there by keyboard, to read what it says.
      </Text>
    </>
  )
}
