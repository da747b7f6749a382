import type { Schemas } from '../api/client'
import { Markdown } from '../parts/Markdown'
import { Part } from './Part'
import { Recorded } from './Recorded'
import css from './Taking.module.css'

type Told = Pick<Schemas['TakeView'], 'instructions' | 'allowed' | 'recorded'>

/** What the team says of an assessment, and what is recorded (for so many `days`, where that is known). */
export function Rules({ told, days }: { told: Told; days?: number }) {
  return (
    <>
      {told.instructions && (
        <Part title="Instructions">
          <Markdown source={told.instructions} />
        </Part>
      )}
      {told.allowed && (
        <Part title="What you may use">
          <p className={css.words}>{told.allowed}</p>
        </Part>
      )}
      <Part title="What is recorded">
        <Recorded recorded={told.recorded} {...(days !== undefined && { days })} />
      </Part>
    </>
  )
}
