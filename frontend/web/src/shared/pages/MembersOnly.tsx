import { Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Schemas } from '@/api/client'
import { me } from '@/api/queries'
import { Loaded } from '../ui/QueryStates'
import { SignInFirst } from './SignInFirst'

type Account = Schemas['AccountView']

interface Props {
  title: string
  children: (account: Account) => ReactNode
}

/** Whether the user has a full account; a guest does not. */
export const isMember = (account: Account | null): account is Account =>
  account?.role === 'account' || account?.role === 'admin'

/** A page for users with a full account. */
export function MembersOnly({ title, children }: Props) {
  const query = useQuery(me)
  const account = query.data ?? null
  if (query.isSuccess && !isMember(account)) return <SignInFirst title={title} />
  return (
    <Container size="lg" py="xl">
      <Loaded page query={query}>
        {account => account && children(account)}
      </Loaded>
    </Container>
  )
}
