export { AppliedRejudges, RejudgedItems } from './rejudges/RejudgeNotices'
export { type TeamChallengeCard, teamChallenges } from './requests'
