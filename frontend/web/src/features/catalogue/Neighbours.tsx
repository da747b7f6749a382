import { ActionIcon, Anchor, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import type { Schemas } from '@/api/client'
import { challenges, neighbours } from '@/api/queries'
import { useShortcuts } from '@/shared/hooks/useShortcuts'
import { FILTERS, filterChallenges, lastSelection } from './selection'

type Target = Schemas['Link']

/** The place of a challenge in a list. `list` is the address of the list, and `label` names the place. */
interface Place {
  previous: Target | null
  next: Target | null
  list: string
  label: string
}

/** The previous and the next challenge, with a link to the list that both are from. */
export function Neighbours({ slug }: { slug: string }) {
  const go = useNavigate()
  const place = usePlace(slug)
  const follow = (to: Target | null | undefined) => to && go(`/challenges/${to.id}`)
  useShortcuts([
    ['[', () => follow(place?.previous)],
    [']', () => follow(place?.next)],
  ])
  return (
    <Group gap={4} wrap="nowrap" component="nav" aria-label="Previous and next challenge" mih={28}>
      <Step to={place?.previous} name="Previous" icon={<IconChevronLeft size={17} />} />
      <Text size="sm" c="dimmed">
        {place && (
          <Anchor
            component={Link}
            to={place.list}
            c="inherit"
            display="inline-flex"
            mih={28}
            style={{ alignItems: 'center' }}
          >
            {place.label}
          </Anchor>
        )}
      </Text>
      <Step to={place?.next} name="Next" icon={<IconChevronRight size={17} />} />
    </Group>
  )
}

/**
 * The place in the project that the challenge belongs to, in the last viewed selection, or in the whole catalogue. The list of
 * all challenges is loaded only for a selection with filters. Undefined while loading, so that the arrows do not change targets.
 */
function usePlace(slug: string): Place | undefined {
  const params = lastSelection()
  const wanted = (name: string) => params.get(name) ?? ''
  const filtered = FILTERS.some(wanted)
  const { data: own } = useQuery(neighbours(slug))
  const all = useQuery({ ...challenges, enabled: filtered })
  if (!own || all.isLoading) return undefined
  const place = `${own.place} of ${own.total}`
  if (own.project)
    return { ...own, list: `/tracks/${own.project.id}`, label: `Step ${place} in ${own.project.title}` }
  const chosen = filtered ? filterChallenges(all.data ?? [], wanted) : []
  const index = chosen.findIndex(each => each.slug === slug)
  if (index < 0) return { ...own, list: '/catalogue', label: place }
  return {
    previous: linkTo(chosen[index - 1]),
    next: linkTo(chosen[index + 1]),
    list: `/catalogue?${params}`,
    label: `${index + 1} of ${chosen.length} (filtered)`,
  }
}

const linkTo = (found: Schemas['ChallengeCard'] | undefined): Target | null =>
  found ? { id: found.slug, title: found.title } : null

function Step(props: { to: Target | null | undefined; name: string; icon: React.ReactNode }) {
  if (!props.to)
    return (
      <ActionIcon variant="subtle" color="gray" disabled aria-label={`${props.name}: none`}>
        {props.icon}
      </ActionIcon>
    )
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      component={Link}
      to={`/challenges/${props.to.id}`}
      aria-label={`${props.name}: ${props.to.title}`}
    >
      {props.icon}
    </ActionIcon>
  )
}
