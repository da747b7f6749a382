import { Kbd, Modal, Table } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { useNavigate } from 'react-router'

const KEYS: [string, string][] = [
  ['?', 'This list'],
  ['c', 'Catalogue'],
  ['t', 'Tracks'],
  ['r', 'Cards'],
  ['Space, 1 to 4, u', 'Show, grade, take back (on the cards)'],
  ['/', 'Search (on the catalogue)'],
  ['Ctrl + Enter', 'Submit (in a challenge)'],
  ["Ctrl + '", 'Run the samples (in a challenge)'],
  ['Esc, then Tab', 'Leave the editor with the keyboard'],
]

/** Keys that work on every page; `?` shows them. */
export function Shortcuts() {
  const [opened, { toggle, close }] = useDisclosure(false)
  const go = useNavigate()
  useHotkeys([
    ['shift+?', toggle],
    ['c', () => go('/catalogue')],
    ['t', () => go('/tracks')],
    ['r', () => go('/cards')],
  ])
  return (
    <Modal opened={opened} onClose={close} title="Keys">
      <Table>
        <Table.Tbody>
          {KEYS.map(([keys, what]) => (
            <Table.Tr key={keys}>
              <Table.Td>
                <Kbd>{keys}</Kbd>
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
