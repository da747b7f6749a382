import { Kbd, Modal, Table, Title } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Fragment } from 'react'
import { useNavigate } from 'react-router'

const KEYS: [string, [string, string][]][] = [
  [
    'Everywhere',
    [
      ['?', 'This list'],
      ['/ or Ctrl + K', 'Search'],
      ['c', 'Catalogue'],
      ['t', 'Tracks'],
      ['r', 'Cards'],
      ['Tab, then Enter', 'The first Tab of a page leads past the header'],
    ],
  ],
  [
    'On the cards',
    [
      ['Space', 'Show the answer'],
      ['1 to 4', 'Grade it'],
      ['u', 'Take the grade back'],
    ],
  ],
  [
    'In a challenge',
    [
      ['Ctrl + Enter', 'Submit'],
      ["Ctrl + '", 'Run the samples'],
      ['[ and ]', 'Previous and next challenge of the selection'],
      ['Ctrl + F', 'Find and replace'],
      ['Ctrl + Space', 'Complete a name'],
      ['Esc, then Tab', 'Leave the editor'],
      ['← and →', 'Width of the statement, while its edge has the focus'],
    ],
  ],
  [
    'In the plan of an assessment',
    [
      ['Ctrl + S', 'Save'],
      ['Alt + ↑ or ↓', 'Move the section or the item where you are'],
    ],
  ],
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
    <Modal opened={opened} onClose={close} title="Keys" closeButtonProps={{ 'aria-label': 'Close' }}>
      {KEYS.map(([place, keys]) => (
        <Fragment key={place}>
          <Title order={3} fz="1rem" mt="xs">
            {place}
          </Title>
          <Table mb="md" layout="fixed">
            <Table.Tbody>
              {keys.map(([pressed, what]) => (
                <Table.Tr key={pressed}>
                  <Table.Td w="42%">
                    <Kbd>{pressed}</Kbd>
                  </Table.Td>
                  <Table.Td>{what}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Fragment>
      ))}
    </Modal>
  )
}
