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
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({
    pattern: '^https?://', description: 'Collector that gets spans of model calls as OTLP over HTTP in JSON, for example http://collector:4318; without it none are made. Other OTEL_… variables of the SDK hold too: OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER, OTEL_BSP_…, OTEL_SERVICE_NAME.'
  })),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Type.Optional(Type.String({
    pattern: '^https?://', description: 'The same with its whole path, and wins.'
  })),
  LOG_PROMPTS: Type.Optional(Type.Enum(['0', '1'], {
    description: '1: the log also holds what models are asked and answer, 4,000 characters of each at most. Else no log, metric or span has any of it.'
  }))
})
export type Config = Static<typeof Config>
