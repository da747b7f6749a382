export { STATES } from './roles'
export { storedInvitation } from './storedInvitation'
export { atLeast, type Team, TeamFrame } from './TeamFrame'
