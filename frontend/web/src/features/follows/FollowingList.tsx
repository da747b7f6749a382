import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import { pluralize } from '@/shared/format/numbers'
import { FollowButton } from './FollowButton'
import css from './Following.module.css'
import { useFollowing } from './requests'

/** Whom the user follows, on their own profile. */
export function FollowingList() {
  const found = useFollowing()
  if (!found) return null
  return (
    <>
      <Text c="dimmed" mb="sm" maw="44rem">
        {followers(found.followers)} People cannot see who follows them.
      </Text>
      {found.items.length === 0 ? (
        <Text>
          You follow no one. To follow people, open their profiles or use the buttons on the{' '}
          <Anchor component={Link} to="/leaderboard">
            leaderboard
          </Anchor>
          .
        </Text>
      ) : (
        <>
          <ul className={css.people}>
            {found.items.map(each => (
              <li key={each.id}>
                <Group gap={4} wrap="nowrap">
                  <Anchor component={Link} to={`/people/${each.id}`} dir="auto" className={css.name}>
                    {each.name}
                  </Anchor>
                  <FollowButton id={each.id} name={each.name} small />
                </Group>
              </li>
            ))}
          </ul>
          <Anchor component={Link} to="/leaderboard?people=following">
            Compare with the people you follow
          </Anchor>
        </>
      )}
    </>
  )
}

const followers = (count: number) =>
  count === 0 ? 'No one follows you.' : `${pluralize(count, 'person follows', 'people follow')} you.`
