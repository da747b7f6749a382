/** Reads server-sent events from the response of a request. `EventSource` cannot send one with a body. */
export interface StreamEvent {
  name: string
  data: string
}

export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let [rest, name] = ['', '']
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    rest += decoder.decode(value, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('event: ')) name = line.slice(7)
      if (line.startsWith('data: ')) yield { name, data: line.slice(6) }
    }
  }
}
