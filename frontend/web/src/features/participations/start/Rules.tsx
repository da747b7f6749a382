import type { Schemas } from '@/api/client'
import { Markdown } from '@/shared/markdown/Markdown'
import { ASSISTANT_POLICIES } from '../assistant/policies'
import css from '../Participation.module.css'
import { TextSection } from '../TextSection'
import { RecordingNotice } from './RecordingNotice'

type Texts = Pick<Schemas['TakeView'], 'instructions' | 'allowed' | 'recorded'> & {
  sections: Pick<Schemas['SectionOutline'], 'title' | 'assistant'>[]
}

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
      <AssistantRules sections={texts.sections} />
      <TextSection title="Recorded activity">
        <RecordingNotice
          recorded={texts.recorded}
          assistant={texts.sections.some(each => each.assistant === 'provided')}
          {...(days !== undefined && { days })}
        />
      </TextSection>
    </>
  )
}

/** Says in which sections an AI assistant may be used. Says nothing if no section allows one. */
export function AssistantRules({ sections }: Pick<Texts, 'sections'>) {
  const policies = [...new Set(sections.map(each => each.assistant))]
  if (policies.every(each => each === 'none')) return null
  return (
    <TextSection title="AI assistants">
      {policies.map(policy => (
        <p key={policy} className={css.words}>
          {policies.length > 1 && (
            <b>
              {sections
                .filter(each => each.assistant === policy)
                .map(each => each.title)
                .join(', ')}
              :{' '}
            </b>
          )}
          {ASSISTANT_POLICIES[policy].sentence}
        </p>
      ))}
    </TextSection>
  )
}
