import { Difficulty } from '../parts/Difficulty'
import type { Found } from './address'
import css from './FoundItem.module.css'

const WHERE = {
  title: '',
  summary: '',
  tags: 'in its tags',
  question: 'in a question',
  error: 'in a pitfall',
  text: 'in its text',
}

/** What was found, with the words where they stand. Everything of it is text. */
export function FoundItem({ found }: { found: Found }) {
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
