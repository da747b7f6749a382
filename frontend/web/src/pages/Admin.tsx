import { useQuery } from '@tanstack/react-query'
import { NavLink, useParams } from 'react-router'
import { me } from '../api/queries'
import { Account } from '../desk/Account'
import { Accounts } from '../desk/Accounts'
import { Audit } from '../desk/Audit'
import { Catalogue } from '../desk/Catalogue'
import css from '../desk/Desk.module.css'
import { Overview } from '../desk/Overview'
import { Queue } from '../desk/Queue'
import { Rejudges } from '../desk/Rejudges'
import { Reports } from '../desk/Reports'
import { Loaded } from '../parts/States'
import { Component as NotFound } from './NotFound'

const PARTS = [
  { path: '', name: 'Overview', part: <Overview /> },
  { path: 'accounts', name: 'Accounts', part: <Accounts /> },
  { path: 'queue', name: 'Nodes and queue', part: <Queue /> },
  { path: 'reports', name: 'Reports', part: <Reports key="error" kind="error" /> },
  { path: 'suggestions', name: 'Suggestions', part: <Reports key="suggestion" kind="suggestion" /> },
  { path: 'rejudges', name: 'Rejudges', part: <Rejudges /> },
  { path: 'catalogue', name: 'Catalogue', part: <Catalogue /> },
  { path: 'audit', name: 'Audit log', part: <Audit /> },
]

/** The desk of those who run the site. To everybody else there is nothing at this address. */
export function Component() {
  const { part = '', id } = useParams()
  const found = PARTS.find(each => each.path === part)
  return (
    <Loaded page query={useQuery(me)}>
      {account =>
        account?.role === 'admin' && found && (!id || part === 'accounts') ? (
          <div className={css.desk}>
            <nav className={css.nav} aria-label="Desk">
              {PARTS.map(each => (
                <NavLink
                  key={each.path}
                  to={each.path ? `/admin/${each.path}` : '/admin'}
                  end={!each.path}
                  className={css.link}
                >
                  {each.name}
                </NavLink>
              ))}
            </nav>
            <div>{id ? <Account key={id} id={id} /> : found.part}</div>
          </div>
        ) : (
          <NotFound />
        )
      }
    </Loaded>
  )
}
