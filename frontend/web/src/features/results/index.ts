export { CandidateSimilarity } from './CandidateSimilarity'
