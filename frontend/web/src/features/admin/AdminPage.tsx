import { useQuery } from '@tanstack/react-query'
import { NavLink, useParams } from 'react-router'
import { me } from '@/api/queries'
import { NotFoundPage } from '@/features/search'
import { isMember } from '@/shared/pages/MembersOnly'
import { SignInFirst } from '@/shared/pages/SignInFirst'
import { Loaded } from '@/shared/ui/QueryStates'
import { AccountDetails } from './AccountDetails'
import { Accounts } from './Accounts'
import css from './Admin.module.css'
import { AuditLog } from './AuditLog'
import { CatalogueState } from './CatalogueState'
import { Queue } from './judging/Queue'
import { Rejudges } from './judging/Rejudges'
import { Measurements } from './Measurements'
import { Overview } from './Overview'
import { Reports } from './Reports'

const PARTS = [
  { path: '', name: 'Overview', part: <Overview /> },
  { path: 'accounts', name: 'Accounts', part: <Accounts /> },
  { path: 'queue', name: 'Nodes and queue', part: <Queue /> },
  { path: 'reports', name: 'Reports', part: <Reports key="error" kind="error" /> },
  { path: 'suggestions', name: 'Suggestions', part: <Reports key="suggestion" kind="suggestion" /> },
  { path: 'rejudges', name: 'Rejudges', part: <Rejudges /> },
  { path: 'measurements', name: 'Measurements', part: <Measurements /> },
  { path: 'catalogue', name: 'Catalogue', part: <CatalogueState /> },
  { path: 'audit', name: 'Audit log', part: <AuditLog /> },
]

/** The admin area. For other accounts the page does not exist; a visitor may be an admin who has to sign in. */
export function Component() {
  const { part = '', id } = useParams()
  const found = PARTS.find(each => each.path === part)
  return (
    <Loaded page query={useQuery(me)}>
      {account =>
        account?.role === 'admin' && found && (!id || part === 'accounts') ? (
          <div className={css.desk}>
            <nav className={css.nav} aria-label="Admin">
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
            <div>{id ? <AccountDetails key={id} id={id} /> : found.part}</div>
          </div>
        ) : isMember(account) ? (
          <NotFoundPage />
        ) : (
          <SignInFirst title="Admin" />
        )
      }
    </Loaded>
  )
}
