import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Participation } from '../requests'
import { ItemList } from './ItemList'

const listOf = (finished_at: string | null) => {
  const item = { kind: 'challenge', position: 1, title: 'Add one', points: 10, sent: 1, submissions_left: 0 }
  const section = { key: 'code', title: 'Code', minutes: null, items: [{ ...item, score: null }] }
  const found = { verdicts: 'never', finished_at, sections: [section] } as unknown as Participation
  return renderToStaticMarkup(
    <MantineProvider>
      <MemoryRouter>
        <ItemList found={found} />
      </MemoryRouter>
    </MantineProvider>,
  )
}

test('the list says how many submissions are left until the end', () => {
  expect(listOf(null)).toContain('no submissions left')
  expect(listOf('2026-11-29T12:00:00Z')).not.toContain('left')
})
