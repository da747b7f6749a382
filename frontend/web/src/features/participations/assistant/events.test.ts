import { expect, test } from 'vitest'
import { readEvents, type StreamEvent } from './events'

async function read(...parts: Uint8Array[]): Promise<StreamEvent[]> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
  const found: StreamEvent[] = []
  for await (const event of readEvents(stream)) found.push(event)
  return found
}

const bytes = (text: string) => new TextEncoder().encode(text)

test('events are read wherever the stream is cut', async () => {
  const whole = bytes(': ping\n\nevent: text\ndata: {"text": "é"}\n\nevent: end\ndata: {}\n\n')
  const expected = [
    { name: 'text', data: '{"text": "é"}' },
    { name: 'end', data: '{}' },
  ]
  for (let at = 0; at <= whole.length; at++)
    expect(await read(whole.slice(0, at), whole.slice(at))).toEqual(expected)
})

test('an event that was cut off is left out', async () => {
  expect(await read(bytes('event: text\ndata: {"te'))).toEqual([])
})
