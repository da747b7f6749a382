export { daysOfWeek, periodName, WINDOWS } from './periods'
export { RankingTable } from './RankingTable'
export { leaderboard } from './requests'
