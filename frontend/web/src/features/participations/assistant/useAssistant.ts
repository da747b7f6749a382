/** The conversation with the assistant about one item. A reply that is being written grows as it arrives. */
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '@/api/client'
import { readEvents } from './events'

export type Message = Schemas['MessageView']
type Conversation = Schemas['Conversation']

const LOOK_MS = 1500
const ASSISTANT = '/api/participation/items/{position}/assistant'

export const conversation = (id: string, position: number) =>
  queryOptions({
    queryKey: ['participation', id, 'assistant', position],
    staleTime: 0,
    queryFn: () => unwrap(api.GET(ASSISTANT, { params: { path: { position } } })),
    // After a reload, a running reply is read from the service until it ends.
    refetchInterval: query =>
      query.state.data?.messages.some(each => each.state === 'running') ? LOOK_MS : false,
  })

export interface Asked {
  question: string
  source: string
}

export function useAssistant(id: string, position: number) {
  const client = useQueryClient()
  const query = useQuery(conversation(id, position))
  // What has arrived of the reply that is being written; null once the conversation contains it.
  const [reply, setReply] = useState<string | null>(null)
  const { queryKey } = conversation(id, position)
  const ask = useMutation({
    mutationFn: async (body: Asked) => {
      setReply('')
      const stream = await unwrap(
        api.POST(ASSISTANT, { params: { path: { position } }, body, parseAs: 'stream' }),
      )
      for await (const { name, data } of readEvents(stream as unknown as ReadableStream<Uint8Array>)) {
        if (name === 'text') setReply(text => (text ?? '') + JSON.parse(data).text)
        if (name === 'end') {
          const { message, used } = JSON.parse(data) as { message: Message; used: number }
          client.setQueryData(queryKey, before => before && withMessage(before, message, used))
          setReply(null)
        }
      }
    },
    onSettled: () => {
      setReply(null)
      return client.invalidateQueries({ queryKey })
    },
  })
  return { query, ask, reply }
}

/** The budget counts all items, so what this item's message cost is not enough: `used` is the new sum. */
function withMessage(before: Conversation, message: Message, used: number): Conversation {
  const others = before.messages.filter(each => each.id !== message.id)
  return { messages: [...others, message], budget: before.budget && { ...before.budget, used } }
}
