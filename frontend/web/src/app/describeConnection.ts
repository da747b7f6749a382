import { matchPath } from 'react-router'
import type { Connection } from '@/api/connection'

const TOLD = {
  offline: 'You are offline. You can keep working: your work is saved in this browser.',
  // What is written in a live interview is kept only in the open page.
  offlineInRoom: 'You are offline. Keep this page open: your changes are sent when you are connected again.',
  away: 'The server cannot be reached. Retrying every few seconds.',
  restarting: 'The server is restarting. Retrying every few seconds.',
}

/** What the note about a lost connection says on the page at `path`. */
export function describeConnection(connection: Exclude<Connection, 'fine'>, path: string): string {
  return TOLD[connection === 'offline' && matchPath('/rooms/:roomId', path) ? 'offlineInRoom' : connection]
}
