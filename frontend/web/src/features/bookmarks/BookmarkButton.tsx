import { ActionIcon, Button } from '@mantine/core'
import { IconBookmark, IconBookmarkFilled } from '@tabler/icons-react'
import { useBookmark } from './requests'

interface Props {
  slug: string
  /** The title of the challenge, where the button is one of many. */
  title?: string
}

/** Bookmarks a challenge, or removes the bookmark. In lists, where it has a title, it is an icon. */
export function BookmarkButton({ slug, title }: Props) {
  const { on, toggle } = useBookmark(slug)
  const icon = on ? <IconBookmarkFilled size={16} /> : <IconBookmark size={16} />
  const colour = on ? 'var(--g-link)' : 'var(--g-soft)'
  if (title)
    return (
      <ActionIcon
        variant="transparent"
        c={colour}
        aria-label={`Bookmark ${title}`}
        title="Bookmark"
        aria-pressed={on}
        onClick={toggle}
      >
        {icon}
      </ActionIcon>
    )
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      c={colour}
      leftSection={icon}
      aria-pressed={on}
      onClick={toggle}
    >
      {on ? 'Bookmarked' : 'Bookmark'}
    </Button>
  )
}
