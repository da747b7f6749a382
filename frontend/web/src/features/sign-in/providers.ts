/** Redirects to a sign-in provider, and explains why a sign-in there failed. */
import { useMutation } from '@tanstack/react-query'
import { api, unwrap } from '@/api/client'

interface Way {
  id: string
  /** The page to return to. */
  back: string
  /** Whether to link the provider to the signed-in account. */
  link?: boolean
}

export const useProvider = () =>
  useMutation({
    mutationFn: ({ id, back, link = false }: Way) =>
      unwrap(
        api.POST('/api/providers/{provider_id}/start', {
          params: { path: { provider_id: id } },
          body: { back, link },
        }),
      ),
    onSuccess: started => window.location.assign(started.address),
  })

const TROUBLES: Record<string, (name: string) => string> = {
  cancelled: name => `Signing in with ${name} was cancelled. Try again, or sign in another way.`,
  stale: () => 'The sign-in took too long, or was started in another window. Try again.',
  failed: name =>
    `The response from ${name} could not be verified, so you were not signed in. Try again later.`,
  unverified: name =>
    `${name} has not verified your email address. Verify it there, or create an account here.`,
  has_password: name =>
    `You already have an account here. Sign in with your password, then link ${name} on your account page.`,
  linked_elsewhere: name =>
    `This ${name} account is already linked to another account here. Unlink it from that account first.`,
  linked_already: name => `Your account is already linked to another ${name} account. Unlink that one first.`,
  banned: () =>
    'An admin of this site has banned this account. Contact an admin if you think this is a mistake.',
  closed: () => 'New accounts cannot be created on this site. Ask an admin for an account.',
  too_many: () => 'Too many accounts were created from your network. Try again in an hour.',
}

/** The message for `?trouble=…`; none without it. */
export const providerError = (code: string | null, name: string) =>
  code ? TROUBLES[code]?.(name) : undefined
