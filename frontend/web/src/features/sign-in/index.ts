export { MailSent } from './MailSent'
export { providerError, useProvider } from './providers'
