import { ActionIcon, Anchor, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { challenges } from '@/api/queries'
import { useShortcuts } from '@/shared/hooks/useShortcuts'
import { FILTERS, filterChallenges, lastSelection } from './selection'

/** The previous and the next challenge in the last viewed selection, or in the whole catalogue. */
export function Neighbours({ slug }: { slug: string }) {
  const go = useNavigate()
  const all = useQuery(challenges).data ?? []
  const params = lastSelection()
  const wanted = (name: string) => params.get(name) ?? ''
  const chosen = filterChallenges(all, wanted)
  const within = chosen.some(each => each.slug === slug)
  const [items, search] = within ? [chosen, params.toString()] : [all, '']
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
            to={`/catalogue?${search}`}
            c="inherit"
            display="inline-flex"
            mih={28}
            style={{ alignItems: 'center' }}
          >
            {place + 1} of {items.length}
            {within && FILTERS.some(wanted) && ' (filtered)'}
          </Anchor>
        )}
      </Text>
      <Step to={after} name="Next" icon={<IconChevronRight size={17} />} />
    </Group>
  )
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
