import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter, Route, Routes } from 'react-router'
import { expect, test, vi } from 'vitest'
import { InvitationList } from './InvitationList'
import { Invite } from './Invite'

// The connection's state reads the browser's when it is imported.
vi.hoisted(() => {
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('window', { addEventListener: () => undefined })
})

const shown = (page: ReactNode, sends_mail: boolean) => {
  const client = new QueryClient()
  const invitation = {
    id: '1',
    email: 'eve@example.org',
    name: '',
    state: 'revoked',
    extra_minutes: 0,
    time_percent: 100,
  }
  const listed = { items: [invitation], next_cursor: null, sends_mail }
  client.setQueryData(['team', 't', 'invited', 'a', '', ''], { pages: [listed], pageParams: [''] })
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <MemoryRouter initialEntries={['/t/a']}>
          <Routes>
            <Route path="/:teamId/:assessmentId" element={page} />
          </Routes>
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
}

test('a site that sends email offers to email candidates', () => {
  expect(shown(<Invite />, true)).toContain('Send each candidate an email')
  expect(shown(<InvitationList writable />, true)).toContain('gets one reminder')
})

test('a site without email says that the links must be sent by hand, and promises no reminder', () => {
  const page = shown(<Invite />, false)
  expect(page).not.toContain('Send each candidate an email')
  expect(page).not.toContain('Each candidate gets an email')
  expect(page).toContain('This site does not send email. Send each candidate their own link.')
  expect(shown(<InvitationList writable />, false)).not.toContain('reminder')
})

test('the forms of all ways to invite stay mounted, and the name in a link is no secret', () => {
  const page = shown(<Invite />, true)
  for (const words of ['Email of candidate 1', 'CSV file', 'Create link']) expect(page).toContain(words)
  expect(page).toContain('The candidate sees it and can change it')
})
