import { Loader, Text, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { search } from '@/api/queries'
import { pluralize } from '@/shared/format/numbers'
import { ErrorMessage } from '@/shared/ui/QueryStates'
import { resultAddress, type SearchHit } from './resultAddress'
import css from './SearchDialog.module.css'
import { SearchResult } from './SearchResult'

const PAUSE_MS = 120
const FEW = 8

/** Searches while the user types: arrow keys select, Enter opens, Escape closes. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const go = useNavigate()
  const list = useId()
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), PAUSE_MS)
  const query = useQuery(search(q, FEW))
  const items = (q && query.data?.items) || []
  const more = (query.data?.total ?? 0) > items.length && items.length > 0
  const count = items.length + (more ? 1 : 0)
  const [at, setAt] = useState(0)
  const chosen = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls the selected result into view
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: 'nearest' })
  }, [at])
  // Before the next key, so that what the user types after `/` goes into the field. Closing gives the focus back.
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  const open = (place: number) => {
    const found = items[place]
    onClose()
    go(found ? resultAddress(found) : `/search?q=${encodeURIComponent(text.trim())}`)
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && count) setAt((at + step + count) % count)
    else if (event.key === 'Enter' && text.trim()) open(q === text.trim() ? at : count)
    else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too
    <dialog
      ref={dialog}
      className={css.dialog}
      aria-label="Search"
      onClose={() => dialog.current?.open || onClose()}
      onClick={event => event.target === dialog.current && onClose()}
    >
      <div className={css.field}>
        {query.isFetching ? <Loader size={17} /> : <IconSearch size={19} aria-hidden />}
        <input
          className={css.input}
          aria-label="Search"
          placeholder="A word, a shape, an error message"
          value={text}
          maxLength={300}
          onChange={event => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKey}
          role="combobox"
          aria-expanded={count > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={count ? `${list}-${at}` : undefined}
        />
      </div>
      {query.isError && (
        <div className={css.note}>
          <ErrorMessage error={query.error} again={() => query.refetch()} />
        </div>
      )}
      <ResultCount q={q} found={query.data?.total} />
      {count > 0 && (
        <div className={css.list} id={list} role="listbox" aria-label="Results">
          {items.map((found, place) => (
            <Option key={`${found.kind} ${found.id}`} {...{ list, place, at, setAt, open, chosen }}>
              {found}
            </Option>
          ))}
          {more && (
            <Option {...{ list, place: items.length, at, setAt, open, chosen }}>
              {`Show all ${query.data?.total} results`}
            </Option>
          )}
        </div>
      )}
    </dialog>
  )
}

function ResultCount({ q, found }: { q: string; found: number | undefined }) {
  const text = !q
    ? 'Challenges, topics, quizzes and tracks. You can paste an error message.'
    : found === 0
      ? 'No results. Try fewer words, or the name of a function.'
      : ''
  return (
    <Text size="sm" c="dimmed" role="status" className={text ? css.note : undefined}>
      {text || <VisuallyHidden>{found === undefined ? '' : pluralize(found, 'result')}</VisuallyHidden>}
    </Text>
  )
}

interface OptionProps {
  children: SearchHit | string
  list: string
  place: number
  at: number
  setAt: (place: number) => void
  open: (place: number) => void
  chosen: React.RefObject<HTMLDivElement | null>
}

function Option({ children, list, place, at, setAt, open, chosen }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keyboard, as in every combobox
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div
      id={`${list}-${place}`}
      ref={place === at ? chosen : undefined}
      role="option"
      aria-selected={place === at}
      className={css.option}
      onMouseMove={() => setAt(place)}
      onClick={() => open(place)}
    >
      {typeof children === 'string' ? (
        <span className={css.all}>{children}</span>
      ) : (
        <SearchResult found={children} />
      )}
    </div>
  )
}
