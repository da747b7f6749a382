import { SegmentedControl, Text } from '@mantine/core'
import type { Schemas } from '@/api/client'
import css from './CandidateMails.module.css'

interface Props {
  kind: 'invitation' | 'reminder'
  setKind: (kind: 'invitation' | 'reminder') => void
  preview?: Schemas['MailPreview']
  /** Whether there is no preview, because the text cannot be saved. */
  refused: boolean
}

/** An email as a candidate gets it. Mail programs show it on white, so it is white in the dark theme too. */
export function MailPreview({ kind, setKind, preview, refused }: Props) {
  return (
    <section aria-label="Preview" className={css.preview}>
      <SegmentedControl
        size="xs"
        aria-label="Email to preview"
        value={kind}
        onChange={value => setKind(value as Props['kind'])}
        data={[
          { value: 'invitation', label: 'Invitation' },
          { value: 'reminder', label: 'Reminder' },
        ]}
      />
      {refused && (
        <Text size="sm" c="dimmed" mt="sm">
          Correct the marked fields to see the preview.
        </Text>
      )}
      {preview && (
        <>
          <dl className={css.headers}>
            <dt>From</dt>
            <dd>{preview.sender}</dd>
            {preview.reply_to && (
              <>
                <dt>Reply to</dt>
                <dd>{preview.reply_to}</dd>
              </>
            )}
            <dt>Subject</dt>
            <dd>{preview.subject}</dd>
          </dl>
          {/* Without any permission in `sandbox`, the page runs no scripts, and its links lead nowhere. Each text gets a frame of
              its own: after quick changes of `srcDoc`, Chromium sometimes keeps an earlier text in the frame. */}
          <iframe key={preview.html} title="Email" sandbox="" srcDoc={preview.html} className={css.page} />
          <Text size="xs" c="dimmed">
            With example values. The emails are also sent as plain text.
          </Text>
        </>
      )}
    </section>
  )
}
