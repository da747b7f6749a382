export { NotFoundPage } from './NotFoundPage'
export { SearchBox } from './SearchBox'
