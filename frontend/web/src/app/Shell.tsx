import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconMenu2, IconUser } from '@tabler/icons-react'
import { Link, Outlet, ScrollRestoration, useLocation, useMatch, useNavigate } from 'react-router'
import { api, unwrap } from '@/api/client'
import { useMe, useSignInMutation } from '@/api/queries'
import { SearchBox } from '@/features/search'
import { ColorSchemeToggle } from '@/shared/ui/ColorSchemeToggle'
import { Logo } from '@/shared/ui/Logo'
import { ConnectionNote } from './ConnectionNote'
import { FocusOnNavigation } from './FocusOnNavigation'
import css from './Shell.module.css'
import { Shortcuts } from './Shortcuts'

const TOPICS = '/catalogue?view=topics'
const PAGES = [
  ['/catalogue', 'Catalogue'],
  [TOPICS, 'Topics'],
  ['/tracks', 'Tracks'],
  ['/cards', 'Cards'],
  ['/interview', 'Interview'],
  ['/leaderboard', 'Leaderboard'],
] as const

/** The layout around every page. */
export function Shell() {
  const current = useCurrentPage()
  return (
    <>
      <a className="g-skip" href="#main">
        Skip to content
      </a>
      <SkipToWork />
      <header className={css.header}>
        <div className={css.bar}>
          <Link to="/" className={css.brand} aria-label="Gradus, home">
            <Logo size={26} />
            <span className={css.name}>Gradus</span>
          </Link>
          <SmallMenu />
          <nav className={css.links} aria-label="Pages">
            {PAGES.map(([to, name]) => (
              <Link
                key={to}
                to={to}
                className={css.link}
                {...(to === current && { 'aria-current': 'page' as const })}
              >
                {name}
              </Link>
            ))}
          </nav>
          <SearchBox />
          <Shortcuts />
          <ColorSchemeToggle />
          <Who />
        </div>
      </header>
      <main id="main" className={css.main} tabIndex={-1}>
        <Outlet />
      </main>
      <ConnectionNote />
      <ScrollRestoration />
      <FocusOnNavigation />
    </>
  )
}

/** The entry of `PAGES` to which the current page belongs. The catalogue has two, which differ in their query only. */
function useCurrentPage(): string | undefined {
  const { pathname, search } = useLocation()
  if (pathname.startsWith('/topics/')) return TOPICS
  if (pathname === '/catalogue' && new URLSearchParams(search).get('view') === 'topics') return TOPICS
  return PAGES.find(([to]) => pathname === to || pathname.startsWith(`${to}/`))?.[0]
}

/** On a challenge: a skip link past the header and the statement to the editor. */
function SkipToWork() {
  if (!useMatch('/challenges/:slug')) return null
  return (
    <>
      <a className="g-skip" href="#editor">
        Skip to editor
      </a>
      <a className="g-skip" href="#send">
        Skip to Run and Submit
      </a>
    </>
  )
}

/** The menu for narrow screens, where the page names do not fit side by side. */
function SmallMenu() {
  return (
    <Menu width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Menu" className={css.small}>
          <IconMenu2 size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {PAGES.map(([to, name]) => (
          <Menu.Item key={to} component={Link} to={to}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Who() {
  const account = useMe()
  const { pathname } = useLocation()
  const go = useNavigate()
  const leave = useSignInMutation(async () => {
    await unwrap(api.DELETE('/api/session'))
    return null
  })
  if (!account)
    return (
      <Button component={Link} to={`/sign-in?then=${encodeURIComponent(pathname)}`} size="xs" variant="light">
        Sign in
      </Button>
    )
  if (account.role === 'guest')
    return (
      <Button
        component={Link}
        to={`/sign-in?new=1&then=${encodeURIComponent(pathname)}`}
        size="xs"
        variant="light"
      >
        Create account
      </Button>
    )
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconUser size={17} />}
          className={css.who}
        >
          {account.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => go(`/people/${account.id}`)}>My profile</Menu.Item>
        <Menu.Item onClick={() => go('/submissions')}>My submissions</Menu.Item>
        <Menu.Item onClick={() => go('/teams')}>Teams and assessments</Menu.Item>
        <Menu.Item onClick={() => go('/account')}>Account and API tokens</Menu.Item>
        <Menu.Item onClick={() => go('/my-reports')}>My reports</Menu.Item>
        <Menu.Item onClick={() => go('/suggest')}>Suggest a question</Menu.Item>
        {account.role === 'admin' && <Menu.Item onClick={() => go('/admin')}>Admin</Menu.Item>}
        <Menu.Divider />
        <Menu.Item onClick={() => leave.mutate(undefined, { onSuccess: () => go('/') })}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
