import { ActionIcon, Button } from '@mantine/core'
import { IconMenu2, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, ScrollRestoration, useLocation, useMatch, useNavigate } from 'react-router'
import { api, unwrap } from '@/api/client'
import { challenge, useMe, useSignInMutation } from '@/api/queries'
import { teams } from '@/api/teams'
import { SearchBox } from '@/features/search'
import { isMember } from '@/shared/pages/MembersOnly'
import { ColorSchemeToggle } from '@/shared/ui/ColorSchemeToggle'
import { LazyMenu } from '@/shared/ui/LazyMenu'
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
const HIRING = '/teams'
const TEAMS_SHOWN = 4

type NamedPage = readonly [to: string, name: string]

/** The layout around every page. */
export function Shell() {
  const { pages, home } = usePages()
  const current = useCurrentPage()
  return (
    <>
      <a className="g-skip" href="#main">
        Skip to content
      </a>
      <SkipToWork />
      <header className={css.header}>
        <div className={css.bar}>
          <Link to={home} className={css.brand} aria-label="Gradus, home">
            <Logo size={26} />
            <span className={css.name}>Gradus</span>
          </Link>
          <SmallMenu pages={pages} />
          <nav className={css.links} aria-label="Pages">
            {pages.map(([to, name]) => (
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

/** The pages in the header, and the address of the logo. Interviewers have their own while they are on a page of a team. */
function usePages(): { pages: readonly NamedPage[]; home: string } {
  const known = isMember(useMe())
  const mine = useQuery(teams(known)).data ?? []
  const { pathname } = useLocation()
  if (mine.length === 0) return { pages: PAGES, home: '/' }
  if (pathname !== HIRING && !pathname.startsWith(`${HIRING}/`) && !pathname.startsWith('/rooms/'))
    return { pages: [...PAGES, [HIRING, 'Hiring']], home: '/' }
  const own = mine.slice(0, TEAMS_SHOWN).map(({ id, name }): NamedPage => [`${HIRING}/${id}`, name])
  return { pages: [[HIRING, 'Overview'], ...own, ['/', 'Practice']], home: HIRING }
}

/** The page of the header to which the current page belongs. The catalogue has two, which differ in their query only. */
function useCurrentPage(): string | undefined {
  const { pathname, search } = useLocation()
  if (pathname.startsWith(`${HIRING}/`)) return pathname.split('/').slice(0, 3).join('/')
  if (pathname === HIRING) return HIRING
  if (pathname.startsWith('/topics/')) return TOPICS
  if (pathname === '/weekly') return '/leaderboard'
  if (pathname === '/catalogue' && new URLSearchParams(search).get('view') === 'topics') return TOPICS
  return PAGES.find(([to]) => pathname === to || pathname.startsWith(`${to}/`))?.[0]
}

/** On a challenge: skip links past the header and the statement. There is no editor until the challenge is found. */
function SkipToWork() {
  const slug = useMatch('/challenges/:slug')?.params.slug ?? ''
  if (!useQuery({ ...challenge(slug), enabled: slug !== '' }).data) return null
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
function SmallMenu({ pages }: { pages: readonly NamedPage[] }) {
  return (
    <LazyMenu
      width={200}
      entries={pages.map(([to, name]) => ({ to, name }))}
      button={props => (
        <ActionIcon {...props} variant="subtle" color="gray" aria-label="Menu" className={css.small}>
          <IconMenu2 size={20} />
        </ActionIcon>
      )}
    />
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
  const signOut = () => leave.mutate(undefined, { onSuccess: () => go('/') })
  return (
    <LazyMenu
      width={210}
      entries={[
        { name: 'My profile', to: `/people/${account.id}` },
        { name: 'My submissions', to: '/submissions' },
        { name: 'Teams and assessments', to: HIRING },
        { name: 'Account and API tokens', to: '/account' },
        { name: 'My reports', to: '/my-reports' },
        { name: 'Suggest a question', to: '/suggest' },
        ...(account.role === 'admin' ? [{ name: 'Admin', to: '/admin' }] : []),
        { name: 'Sign out', onClick: signOut, divided: true },
      ]}
      button={props => (
        <Button
          {...props}
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconUser size={17} />}
          className={css.who}
        >
          {account.name}
        </Button>
      )}
    />
  )
}
