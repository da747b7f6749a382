import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { Schemas } from '@/api/client'
import { SecretLink } from '@/shared/forms/SecretLink'

/** The links of a room, which are shown only once. */
export function RoomLinks({ links }: { links: Schemas['RoomLinks'] }) {
  return (
    <section aria-label="Interview links">
      <SecretLink link={links.candidate}>For the candidate, who needs no account:</SecretLink>
      <SecretLink link={links.observer}>For observers, who watch and cannot write:</SecretLink>
      <Text mt="md" mb="lg">
        You and your team enter as interviewers:{' '}
        <Anchor component={Link} to={`/rooms/${links.room_id}`}>
          Enter the room
        </Anchor>
      </Text>
    </section>
  )
}
