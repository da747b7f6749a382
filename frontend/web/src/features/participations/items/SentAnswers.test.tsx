import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { OpenedItem } from '../requests'
import { SentAnswers } from './SentAnswers'

const sent = ['submit', 'run'].map(kind => ({
  id: kind,
  kind,
  status: 'queued',
  created_at: '2026-11-29T12:00Z',
}))

const shown = (held: boolean) =>
  renderToStaticMarkup(
    <MantineProvider>
      <MemoryRouter>
        <SentAnswers sent={sent as OpenedItem['sent']} held={held} />
      </MemoryRouter>
    </MantineProvider>,
  )

test('while verdicts are hidden, only runs of the samples are being judged', () => {
  expect(shown(false).match(/being judged/g)).toHaveLength(2)
  expect(shown(true).match(/being judged/g)).toHaveLength(1)
})
