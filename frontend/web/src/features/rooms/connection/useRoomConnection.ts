import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { reviewKey, roomKey } from '../requests'
import { type ConnectionState, RoomConnection } from './RoomConnection'

const CONNECTING: ConnectionState = { phase: 'connecting', saved: true, reason: '', people: [] }

/** The connection of this page to a room. Whenever the room changes, its queries are read again. */
export function useRoomConnection(roomId: string): RoomConnection | undefined {
  const client = useQueryClient()
  const [connection, setConnection] = useState<RoomConnection>()
  useEffect(() => {
    const address = new URL(`/api/rooms/${roomId}/socket`, window.location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    const made = new RoomConnection(address.href, what =>
      client.invalidateQueries({ queryKey: what === 'room' ? roomKey(roomId) : reviewKey(roomId) }),
    )
    setConnection(made)
    return () => made.close()
  }, [roomId, client])
  return connection
}

const none = () => () => undefined

export const useConnectionState = (connection: RoomConnection | undefined): ConnectionState =>
  useSyncExternalStore(connection?.subscribe ?? none, connection?.snapshot ?? (() => CONNECTING))
