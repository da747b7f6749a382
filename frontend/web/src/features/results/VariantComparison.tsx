import { Table, Text } from '@mantine/core'
import { formatDuration, formatPoints } from '@/shared/format/numbers'
import css from './Results.module.css'
import type { Item } from './requests'

/** How candidates did with each variant of a challenge, for challenges of which they got more than one. */
export function VariantComparison({ items }: { items: Item[] }) {
  return (
    <>
      <Table.ScrollContainer minWidth={560}>
        <Table className={css.table} verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Variant</Table.Th>
              <Table.Th className={css.right}>Candidates</Table.Th>
              <Table.Th className={css.right}>Solved</Table.Th>
              <Table.Th className={css.right}>Median score</Table.Th>
              <Table.Th className={css.right}>Median time</Table.Th>
            </Table.Tr>
          </Table.Thead>
          {items
            .filter(item => item.variants.length > 0)
            .map(item => (
              <Table.Tbody key={item.name}>
                <Table.Tr>
                  <Table.Th scope="rowgroup" colSpan={5} className={css.words}>
                    {item.title}
                  </Table.Th>
                </Table.Tr>
                {item.variants.map(each => (
                  <Table.Tr key={each.variant}>
                    <Table.Th scope="row" className={css.variant}>
                      {each.variant || 'Without a variant'}
                    </Table.Th>
                    <Table.Td className={css.right}>{each.people}</Table.Td>
                    <Table.Td className={css.right}>{each.solved}</Table.Td>
                    <Table.Td className={css.right}>
                      {formatPoints(each.median_score)} / {item.points}
                    </Table.Td>
                    <Table.Td className={css.right}>{formatDuration(each.median_s)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            ))}
        </Table>
      </Table.ScrollContainer>
      <Text className={css.note} mt="xs">
        Variants are drawn at random. A lower median score or a longer median time can mean that a variant is
        harder. With few candidates, it can also be chance.
      </Text>
    </>
  )
}
