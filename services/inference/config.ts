/** Settings of inference. Times are for one request to a model server. */
import { Type, type Static } from 'typebox'

export const Config = Type.Object({
  UPSTREAMS: Type.String({
    default: '',
    description: 'Model servers: name=http://host:8000 separated by commas, or JSON [{name, baseUrl, models?, capabilities?, apiKeyEnv?}].'
  }),
  INFERENCE_CONNECT_TIMEOUT_MS: Type.Integer({ minimum: 100, maximum: 60000, default: 5000 }),
  INFERENCE_REPLY_TIMEOUT_MS: Type.Integer({
    minimum: 100,
    maximum: 3600000,
    default: 300000,
    description: 'Until the first byte; a reply that is not streamed comes whole, so this bounds thinking too.'
  }),
  INFERENCE_IDLE_TIMEOUT_MS: Type.Integer({
    minimum: 100, maximum: 3600000, default: 60000, description: 'Between two pieces of a stream.'
  }),
  INFERENCE_REPLAY_CACHE_MB: Type.Integer({
    minimum: 0, maximum: 16384, default: 64, description: 'Memory for recorded replies used last; the others are read from the store.'
  })
})
export type Config = Static<typeof Config>
