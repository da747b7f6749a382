/** The token of an invitation to a team, while its guest signs in or makes an account: this browser keeps it, so that it
 * stands in no address that a server sees, and a letter's link that opens another tab leads back to it.
 */
const KEPT = 'team-invitation'

export const keep = (token: string) => localStorage.setItem(KEPT, token)
export const kept = () => localStorage.getItem(KEPT) ?? ''
export const drop = () => localStorage.removeItem(KEPT)
