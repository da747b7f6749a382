import { Anchor } from '@mantine/core'
import { Suspense, useState } from 'react'
import { LazyDraftConflict } from '@/features/drafts'
import { formatTime } from '../clock'
import type { AnswerAutosave } from '../saving/AnswerAutosave'
import { useAnswerText } from '../saving/useAutosaves'

/** A text that a newer one replaced is kept until the candidate has seen it. */
export function OtherVersion({ keeper }: { keeper: AnswerAutosave }) {
  const { other, text } = useAnswerText(keeper)
  const [open, setOpen] = useState(false)
  if (!other) return null
  const decide = (chosen: string) => {
    keeper.settle(chosen)
    setOpen(false)
  }
  return (
    <>
      <Anchor component="button" type="button" size="xs" onClick={() => setOpen(true)}>
        Show the other version
      </Anchor>
      <Suspense>
        {open && (
          <LazyDraftConflict
            title="Two versions of your answer"
            description={`The other version is from ${formatTime(other.at)}. The newer of the two is in the editor.`}
            names={['the other version', 'this version']}
            other={other.text}
            own={text}
            onDecide={decide}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}
