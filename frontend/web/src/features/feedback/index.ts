export { ReportButton } from './ReportButton'
export { default as reportsStyles } from './Reports.module.css'
export { KINDS, Place, STATES } from './reportStates'
