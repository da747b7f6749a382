import { Difficulty } from '@/shared/ui/Difficulty'
import type { SearchHit } from './resultAddress'
import css from './SearchResult.module.css'

const WHERE = {
  title: '',
  summary: '',
  tags: 'in the tags',
  question: 'in a question',
  error: 'in a pitfall',
  text: 'in the text',
}

/** A result with the matching words in context. All of it is rendered as plain text. */
export function SearchResult({ found }: { found: SearchHit }) {
  const pieces = found.excerpt.map((piece, place) => ({ ...piece, key: `${place} ${piece.text}` }))
  return (
    <div className={css.item}>
      <span className={css.kind}>
        {[found.kind, found.section, WHERE[found.where]].filter(Boolean).join(' · ')}
      </span>
      <span className={css.title}>{found.title}</span>
      {found.where !== 'title' && (
        <span className={css.text}>
          {pieces.map(piece => (piece.hit ? <mark key={piece.key}>{piece.text}</mark> : piece.text))}
        </span>
      )}
      {found.difficulty && (
        <span className={css.level}>
          <Difficulty level={found.difficulty} />
        </span>
      )}
    </div>
  )
}
