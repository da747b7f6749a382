import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconMenu2, IconUser } from '@tabler/icons-react'
import { Link, NavLink, Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router'
import { api, told } from '../api/client'
import { useMe, useSigning } from '../api/queries'
import { Mark } from '../parts/Mark'
import { Scheme } from '../parts/Scheme'
import { SearchBox } from '../search/SearchBox'
import { ConnectionNote } from './ConnectionNote'
import { FocusOnArrival } from './FocusOnArrival'
import css from './Shell.module.css'
import { Shortcuts } from './Shortcuts'

const PAGES = [
  ['/catalogue', 'Catalogue'],
  ['/tracks', 'Tracks'],
  ['/cards', 'Cards'],
  ['/interview', 'Interview'],
  ['/leaderboard', 'Leaderboard'],
] as const

/** What is around every page. */
export function Shell() {
  return (
    <>
      <a className="g-skip" href="#main">
        Skip to the page
      </a>
      <header className={css.header}>
        <div className={css.bar}>
          <Link to="/" className={css.brand} aria-label="Gradus, home">
            <Mark size={26} />
            <span className={css.name}>Gradus</span>
          </Link>
          <SmallMenu />
          <nav className={css.links} aria-label="Pages">
            {PAGES.map(([to, name]) => (
              <NavLink key={to} to={to} className={css.link}>
                {name}
              </NavLink>
            ))}
          </nav>
          <SearchBox />
          <Scheme />
          <Who />
        </div>
      </header>
      <main id="main" className={css.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Shortcuts />
      <ConnectionNote />
      <ScrollRestoration />
      <FocusOnArrival />
    </>
  )
}

/** The pages where there is no room for their names side by side. */
function SmallMenu() {
  return (
    <Menu width={200}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label="Pages" className={css.small}>
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
  const leave = useSigning(async () => {
    await told(api.DELETE('/api/session'))
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
        Make an account
      </Button>
    )
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <Button size="xs" variant="subtle" color="gray" leftSection={<IconUser size={17} />} maw={180}>
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
        {account.role === 'admin' && <Menu.Item onClick={() => go('/admin')}>Desk</Menu.Item>}
        <Menu.Divider />
        <Menu.Item onClick={() => leave.mutate(undefined, { onSuccess: () => go('/') })}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
