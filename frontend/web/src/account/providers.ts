/** Going to a provider to sign in, and what it means when somebody comes back from there without being signed in. */
import { useMutation } from '@tanstack/react-query'
import { api, told } from '../api/client'

interface Way {
  id: string
  /** The page to come back to. */
  back: string
  /** Whether the provider is linked to the account that is signed in. */
  link?: boolean
}

export const useProvider = () =>
  useMutation({
    mutationFn: ({ id, back, link = false }: Way) =>
      told(
        api.POST('/api/providers/{provider_id}/start', {
          params: { path: { provider_id: id } },
          body: { back, link },
        }),
      ),
    onSuccess: started => window.location.assign(started.address),
  })

const TROUBLES: Record<string, (name: string) => string> = {
  cancelled: name => `Nothing was done: the sign-in at ${name} was broken off.`,
  stale: () => 'That sign-in took too long, or began in another window. Try again.',
  failed: name =>
    `${name} gave an answer that could not be checked, so nobody was signed in. Try again later.`,
  unverified: name =>
    `${name} does not vouch for your e-mail address. Confirm it there, or make an account here.`,
  has_password: name =>
    `You have an account here already. Sign in to it with your password; on its account page you can link ${name}.`,
  linked_elsewhere: name => `This sign-in at ${name} belongs to another account here.`,
  linked_already: name => `Your account is linked to another person at ${name}. Unlink that one first.`,
  banned: () => 'This account was closed by an admin of this site.',
  closed: () => 'Registration is closed here. Ask an admin of this site for an account.',
  too_many: () => 'Too many new accounts from your address. Try again in an hour.',
}

/** The sentence for `?trouble=…`; nothing if there is none. */
export const trouble = (code: string | null, name: string) => (code ? TROUBLES[code]?.(name) : undefined)
