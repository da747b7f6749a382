import { Anchor, Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { Draft, DraftAutosave } from './DraftAutosave'
import { LazyDraftConflict } from './LazyDraftConflict'

const WORDS: Record<Draft['status'], string> = {
  local: 'saved in this browser',
  loading: '',
  saving: 'saving',
  saved: 'saved',
  offline: 'offline, saved in this browser',
  refused: 'not saved',
  conflict: 'changed on another device',
}
const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Shows where the draft is saved, and what to do about a conflict. */
export function DraftNote({ draft, keeper }: { draft: Draft; keeper: DraftAutosave }) {
  const [earlier, setEarlier] = useState(false)
  const { theirs, previous } = draft
  return (
    <>
      <Text size="xs" c="dimmed" role="status" title={draft.message}>
        {WORDS[draft.status]}
      </Text>
      {previous && (
        <Anchor component="button" type="button" size="xs" onClick={() => setEarlier(true)}>
          Show an earlier draft
        </Anchor>
      )}
      <Suspense>
        {theirs && (
          <LazyDraftConflict
            title="This draft was changed in another tab or on another device"
            description={`The other version was saved ${when.format(new Date(theirs.saved_at ?? Date.now()))}. Nothing is overwritten until you decide.`}
            names={['the other version', 'this version']}
            other={theirs.source}
            own={draft.text}
            onDecide={text => keeper.settle(text)}
          />
        )}
        {earlier && previous && (
          <LazyDraftConflict
            title="A draft from before you signed in"
            description={`It was saved ${when.format(new Date(previous.saved_at))} and replaced by a newer one.`}
            names={['the earlier draft', 'the current draft']}
            other={previous.source}
            own={draft.text}
            onDecide={text => {
              keeper.settlePrevious(text)
              setEarlier(false)
            }}
            onClose={() => setEarlier(false)}
          />
        )}
      </Suspense>
    </>
  )
}
