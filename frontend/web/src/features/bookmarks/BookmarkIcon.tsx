import { IconBookmark, IconBookmarkFilled } from '@tabler/icons-react'
import css from './BookmarkIcon.module.css'

interface Props {
  /** The title of the challenge. */
  title: string
  on: boolean
  onToggle: () => void
}

/** The bookmark of a challenge in a list. A list has hundreds of them, so it is an element and no component of Mantine. */
export function BookmarkIcon({ title, on, onToggle }: Props) {
  return (
    <button
      type="button"
      className={css.icon}
      aria-label={`Bookmark ${title}`}
      title="Bookmark"
      aria-pressed={on}
      onClick={onToggle}
    >
      {on ? <IconBookmarkFilled size={16} /> : <IconBookmark size={16} />}
    </button>
  )
}
