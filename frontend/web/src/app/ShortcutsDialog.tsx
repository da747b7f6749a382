import { Kbd, Modal, Switch, Table, Title } from '@mantine/core'
import { Fragment, useEffect, useState } from 'react'
import { useSingleKeyShortcuts } from '@/shared/hooks/useShortcuts'

const KEYS: [string, [string, string][]][] = [
  [
    'All pages',
    [
      ['?', 'Show keyboard shortcuts'],
      ['/ or Ctrl+K', 'Search'],
      ['c', 'Catalogue'],
      ['t', 'Tracks'],
      ['r', 'Cards'],
      ['Tab, then Enter', 'Skip to content'],
    ],
  ],
  [
    'Cards',
    [
      ['Space', 'Show the answer'],
      ['1 to 4', 'Rate the card'],
      ['u', 'Undo the last rating'],
    ],
  ],
  [
    'Challenge',
    [
      ['Ctrl+Enter', 'Submit'],
      ["Ctrl+'", 'Run samples'],
      ['[ and ]', 'Previous or next challenge'],
      ['Ctrl+/', 'Comment or uncomment lines'],
      ['Shift+Alt+↓', 'Duplicate lines'],
      ['Alt+↑ or Alt+↓', 'Move lines'],
      ['Ctrl+D', 'Select the next occurrence'],
      ['Ctrl+F', 'Find and replace'],
      ['Ctrl+Space', 'Autocomplete'],
      ['Esc, then Tab', 'Move focus out of the editor'],
      ['← and →', 'Resize the statement while its border has focus'],
    ],
  ],
  [
    'Assessment plan',
    [
      ['Ctrl+S', 'Save'],
      ['Alt+↑ or Alt+↓', 'Move the current section or item'],
    ],
  ],
]

/** The keyboard shortcuts of all pages, and a switch for those of a single key. */
export default function ShortcutsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [on, setOn] = useSingleKeyShortcuts()
  // One render later, because the dialog gives the focus back only if it was there before it opened.
  const [shown, setShown] = useState(false)
  useEffect(() => setShown(opened), [opened])
  return (
    <Modal opened={shown} onClose={onClose} title="Keyboard shortcuts">
      <Switch
        mb="md"
        label="Single-key shortcuts"
        description="Turn them off if you use speech input or press keys by accident. Shortcuts with Ctrl keep working."
        checked={on}
        onChange={event => setOn(event.currentTarget.checked)}
      />
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
