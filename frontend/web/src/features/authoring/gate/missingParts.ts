/** What the missing parts mean. The gate cannot run while other problems block it. */
export const describeMissing = (blocked: boolean): string =>
  blocked
    ? 'The challenge passes the gate only when it has all of these.'
    : 'You can run the gate already, but the challenge passes only when it has all of these.'
