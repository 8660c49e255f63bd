/** What the benches ask: chat requests in the form of a paper and a question about it. */

const sentence = 'We measure how often the model finds the statement in the paper that supports its answer. '

export interface Ask { bytes?: number, stream?: boolean, maxTokens?: number, ask?: string, extra?: object }

/** @returns JSON of about `bytes` */
export function chatBody (given: Ask = {}): string {
  const { bytes = 2048, stream = false, maxTokens = 50, ask = '', extra = {} } = given
  const text = ask + sentence.repeat(Math.ceil(bytes / sentence.length))
  const content = text.slice(0, Math.max(ask.length, bytes - 180))
  return JSON.stringify({
    model: 'fake-model',
    messages: [{ role: 'system', content: 'Answer with one word.' }, { role: 'user', content }],
    max_tokens: maxTokens,
    temperature: 0,
    ...stream && { stream },
    ...extra
  })
}
