import { ActionIcon, Anchor, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { challenges, tracks } from '@/api/queries'
import { useShortcuts } from '@/shared/hooks/useShortcuts'
import { FILTERS, filterChallenges, lastSelection } from './selection'

/** The previous and the next challenge, with a link to the list that both are from. */
export function Neighbours({ slug }: { slug: string }) {
  const go = useNavigate()
  const { items, list, label } = useList(slug)
  const place = items.findIndex(each => each.slug === slug)
  const [before, after] = [items[place - 1], items[place + 1]]
  useShortcuts([
    ['[', () => before && go(`/challenges/${before.slug}`)],
    [']', () => after && go(`/challenges/${after.slug}`)],
  ])
  return (
    <Group gap={4} wrap="nowrap" component="nav" aria-label="Previous and next challenge" mih={28}>
      <Step to={before} name="Previous" icon={<IconChevronLeft size={17} />} />
      <Text size="sm" c="dimmed">
        {place >= 0 && (
          <Anchor
            component={Link}
            to={list}
            c="inherit"
            display="inline-flex"
            mih={28}
            style={{ alignItems: 'center' }}
          >
            {label(`${place + 1} of ${items.length}`)}
          </Anchor>
        )}
      </Text>
      <Step to={after} name="Next" icon={<IconChevronRight size={17} />} />
    </Group>
  )
}

/** The steps of the project that the challenge belongs to, or the last viewed selection, or the whole catalogue. */
function useList(slug: string) {
  const [all, allTracks] = [useQuery(challenges), useQuery(tracks)]
  const found = all.data ?? []
  // Empty until the tracks are known, so that the arrows do not change their targets.
  if (allTracks.isPending) return { items: [], list: '', label: String }
  const project = allTracks.data?.find(each => each.steps.includes(slug))
  if (project)
    return {
      items: project.steps.flatMap(step => found.find(each => each.slug === step) ?? []),
      list: `/tracks/${project.id}`,
      label: (place: string) => `Step ${place} in ${project.title}`,
    }
  const params = lastSelection()
  const wanted = (name: string) => params.get(name) ?? ''
  const chosen = filterChallenges(found, wanted)
  if (!chosen.some(each => each.slug === slug)) return { items: found, list: '/catalogue', label: String }
  return {
    items: chosen,
    list: `/catalogue?${params}`,
    label: (place: string) => (FILTERS.some(wanted) ? `${place} (filtered)` : place),
  }
}

function Step(props: { to?: { slug: string; title: string }; name: string; icon: React.ReactNode }) {
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
      to={`/challenges/${props.to.slug}`}
      aria-label={`${props.name}: ${props.to.title}`}
    >
      {props.icon}
    </ActionIcon>
  )
}
