import type { Schemas } from '@/api/client'

type Policy = Schemas['SectionView']['assistant']

/** Whether candidates may use an AI assistant, as they read it. */
export const ASSISTANT_POLICIES: Record<Policy, { name: string; sentence: string }> = {
  none: { name: 'No AI assistant', sentence: 'You may not use an AI assistant.' },
  provided: {
    name: 'AI assistant provided',
    sentence:
      'You may use the AI assistant beside the editor of each challenge, and no other one. The team reads the whole conversation.',
  },
  own: {
    name: 'Your own AI assistant',
    sentence: 'You may use your own AI assistant. At the end, you are asked how you used it.',
  },
}
