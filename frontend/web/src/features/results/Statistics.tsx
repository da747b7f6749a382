import { Table, Text, Tooltip } from '@mantine/core'
import { formatDuration, formatPercent, pluralize } from '@/shared/format/numbers'
import css from './Results.module.css'
import type { Item, Results } from './requests'

/** Summary statistics of all candidates, and the distribution of scores. */
export function Statistics({ results }: { results: Results }) {
  return (
    <div className={css.top}>
      <dl className={css.tiles}>
        <Tile figure={String(results.started)} label="started" />
        <Tile figure={String(results.finished)} label="finished" />
        <Tile figure={formatPercent(results.median)} label="median score" />
        <Tile figure={formatPercent(results.mean)} label="mean score" />
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

/** Candidates by tenths of the points, with the median. */
function Distribution({ results }: { results: Results }) {
  const counts = results.distribution
  const most = Math.max(1, ...counts)
  const step = WIDE / counts.length
  const summary = counts
    .map((count, tenth) => `${10 * tenth} to ${10 * tenth + 10}%: ${count}`)
    .filter((_, tenth) => counts[tenth])
    .join(', ')
  return (
    <figure className={css.chart}>
      <svg
        viewBox={`0 0 ${WIDE} ${ABOVE + HIGH + BELOW}`}
        role="img"
        aria-label={`Candidates by score. ${summary || 'No one yet'}.`}
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
        Candidates by score, in steps of 10%. The dashed line is the median.
      </figcaption>
    </figure>
  )
}

const COLUMNS = [
  ['Candidates', 'How many candidates had this item. If items are drawn at random, not everyone has it.'],
  ['Solved', 'How many got full points.'],
  [
    'Mean score',
    'The average percentage of this item’s points that candidates got. A high score means that the item is easy.',
  ],
  [
    'Discrimination',
    'The correlation with the rest of the assessment, from −1 to 1. Above 0.3, the item separates strong from weak candidates; near 0, it does not. Not shown for fewer than five candidates.',
  ],
  ['Median time', 'How long candidates who opened the item worked on it, as in their reports.'],
] as const

/** Statistics of each item over all candidates who got it. */
export function ItemStatistics({ items }: { items: Item[] }) {
  return (
    <>
      <Table.ScrollContainer minWidth={640}>
        <Table className={css.table} verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Item</Table.Th>
              {COLUMNS.map(([name, description]) => (
                <Table.Th key={name} className={css.right}>
                  <Tooltip
                    label={description}
                    multiline
                    w={260}
                    events={{ hover: true, focus: true, touch: true }}
                  >
                    <button type="button" className={css.sort} aria-label={`${name}: ${description}`}>
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
                    {item.kind === 'challenge' ? '' : `${item.kind}, `}
                    {pluralize(item.points, 'point')}
                    {item.to_review > 0 && `, ${item.to_review} to review`}
                    {item.unproven && ', unproven'}
                  </Text>
                </Table.Th>
                <Table.Td className={css.right}>{item.people}</Table.Td>
                <Table.Td className={css.right}>{item.solved}</Table.Td>
                <Table.Td className={css.right}>
                  {item.to_review === item.people ? (
                    '–'
                  ) : (
                    <>
                      <span className={css.meter} aria-hidden="true">
                        <span style={{ width: formatPercent(item.difficulty).replace(' ', '') }} />
                      </span>
                      {formatPercent(item.difficulty)}
                    </>
                  )}
                </Table.Td>
                <Table.Td className={css.right}>{item.discrimination?.toFixed(2) ?? '–'}</Table.Td>
                <Table.Td className={css.right}>{formatDuration(item.median_s)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text className={css.note} mt="xs">
        Hover over or focus a column name to read what it means.
      </Text>
    </>
  )
}
