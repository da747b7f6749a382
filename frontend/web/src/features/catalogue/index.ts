export { ChallengeCard, TopicCard, TrackCard } from './Cards'
export { Neighbours } from './Neighbours'
export { LEVELS } from './selection'
export { nextChallenge, similarChallenges } from './similar'
