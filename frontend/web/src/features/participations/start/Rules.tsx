import type { Schemas } from '@/api/client'
import { Markdown } from '@/shared/markdown/Markdown'
import css from '../Participation.module.css'
import { TextSection } from '../TextSection'
import { RecordingNotice } from './RecordingNotice'

type Texts = Pick<Schemas['TakeView'], 'instructions' | 'allowed' | 'recorded'>

/** The team's text about the assessment, and what is recorded (kept for `days`, if known). */
export function Rules({ texts, days }: { texts: Texts; days?: number }) {
  return (
    <>
      {texts.instructions && (
        <TextSection title="Instructions">
          <Markdown source={texts.instructions} />
        </TextSection>
      )}
      {texts.allowed && (
        <TextSection title="Allowed resources">
          <p className={css.words}>{texts.allowed}</p>
        </TextSection>
      )}
      <TextSection title="Recorded activity">
        <RecordingNotice recorded={texts.recorded} {...(days !== undefined && { days })} />
      </TextSection>
    </>
  )
}
