/**
 * The token of a team invitation while its recipient signs in or creates an account. This browser stores it, so that no URL that
 * a server sees contains it, and a link from an email that opens another tab leads back to it.
 */
const KEPT = 'team-invitation'

export const storeInvitation = (token: string) => localStorage.setItem(KEPT, token)
export const storedInvitation = () => localStorage.getItem(KEPT) ?? ''
export const dropInvitation = () => localStorage.removeItem(KEPT)
