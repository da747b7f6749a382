import { ActionIcon, Button, Text } from '@mantine/core'
import { IconUserCheck, IconUserPlus } from '@tabler/icons-react'
import { useFollow, useFollowing } from './requests'

interface Props {
  id: string
  name: string
  /** Whether there is room only for an icon. */
  small?: boolean
}

/** Follows a person or stops following them. It is shown to users with an account. */
export function FollowButton({ id, name, small = false }: Props) {
  const found = useFollowing()
  const change = useFollow(id)
  if (!found) return null
  const follows = change.isPending ? change.variables : found.items.some(each => each.id === id)
  const Icon = follows ? IconUserCheck : IconUserPlus
  const label = `${follows ? 'Unfollow' : 'Follow'} ${name}`
  const toggle = () => change.mutate(!follows)
  if (small)
    return (
      <ActionIcon
        variant="subtle"
        color={follows ? undefined : 'gray'}
        aria-label={label}
        title={change.error ? change.error.message : label}
        onClick={toggle}
      >
        <Icon size={17} />
      </ActionIcon>
    )
  return (
    <div>
      <Button
        variant={follows ? 'default' : 'filled'}
        size="sm"
        aria-label={label}
        leftSection={<Icon size={16} />}
        onClick={toggle}
      >
        {follows ? 'Unfollow' : 'Follow'}
      </Button>
      {change.error && (
        <Text size="sm" c="var(--g-bad)" role="alert">
          {change.error.message}
        </Text>
      )}
    </div>
  )
}
