export { useThisWeek } from './requests'
