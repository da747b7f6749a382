import css from './Difficulty.module.css'

export type Level = 'easy' | 'medium' | 'hard'
const STEPS: Record<Level, number> = { easy: 1, medium: 2, hard: 3 }

/** A difficulty level: its name, its colour, and as many filled steps as its rank. */
export function Difficulty({ level }: { level: Level }) {
  return (
    <span className={css.level} data-level={level}>
      <svg width="16" height="12" viewBox="0 0 16 12" aria-hidden="true">
        {[0, 1, 2].map(step => (
          <rect
            key={step}
            x={step * 5.5}
            y={8 - step * 4}
            width="4"
            height={4 + step * 4}
            rx="1"
            fill="currentColor"
            opacity={step < STEPS[level] ? 1 : 0.22}
          />
        ))}
      </svg>
      {level}
    </span>
  )
}
