export { LazyDiscussion } from './LazyDiscussion'
