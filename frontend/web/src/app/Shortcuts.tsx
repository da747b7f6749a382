import { ActionIcon, Kbd, Modal, Switch, Table, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKeyboard } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useNavigate } from 'react-router'
import { useShortcuts, useSingleKeyShortcuts } from '@/shared/hooks/useShortcuts'
import css from './Shell.module.css'

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

/** Keyboard shortcuts of every page. `?` and a button in the header list them and show where to switch them off. */
export function Shortcuts() {
  const [opened, { toggle, open, close }] = useDisclosure(false)
  const [on, setOn] = useSingleKeyShortcuts()
  const go = useNavigate()
  useShortcuts([
    ['shift+?', toggle],
    ['c', () => go('/catalogue')],
    ['t', () => go('/tracks')],
    ['r', () => go('/cards')],
  ])
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="Keyboard shortcuts"
        className={css.keys}
        onClick={open}
      >
        <IconKeyboard size={19} />
      </ActionIcon>
      <Modal opened={opened} onClose={close} title="Keyboard shortcuts">
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
    </>
  )
}
