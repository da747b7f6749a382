export { ListingForm } from './ListingForm'
