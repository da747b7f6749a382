import { Button } from '@mantine/core'
import { IconBookmark, IconBookmarkFilled } from '@tabler/icons-react'
import { useBookmarks } from './requests'

/** Bookmarks a challenge, or removes the bookmark. */
export function BookmarkButton({ slug }: { slug: string }) {
  const { isOn, change } = useBookmarks()
  const on = isOn(slug)
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      c={on ? 'var(--g-link)' : 'var(--g-soft)'}
      leftSection={on ? <IconBookmarkFilled size={16} /> : <IconBookmark size={16} />}
      aria-pressed={on}
      onClick={() => change({ slug, on: !on })}
    >
      {on ? 'Bookmarked' : 'Bookmark'}
    </Button>
  )
}
