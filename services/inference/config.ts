/** Settings of inference. Times are for one request to a model server. */
import { Type, type Static } from 'typebox'

export const Config = Type.Object({
  UPSTREAMS: Type.String({
    default: '',
    description: 'Model servers: name=http://host:8000 separated by commas, or JSON [{name, baseUrl, models?, aliases?, slots?, weight?, capabilities?, contextTokens?, apiKeyEnv?, draining?}]. Further ones: POST /v1/upstreams.'
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
  INFERENCE_PROBE_INTERVAL_MS: Type.Integer({
    minimum: 50,
    maximum: 600000,
    default: 10000,
    description: 'Between two probes of a model server that is well; one that is down is probed sooner at first, then at a third of the rate.'
  }),
  INFERENCE_PROBE_TIMEOUT_MS: Type.Integer({
    minimum: 50, maximum: 60000, default: 3000, description: 'For a whole probe, and for reading the load.'
  }),
  INFERENCE_SCRAPE_INTERVAL_MS: Type.Integer({
    minimum: 50, maximum: 60000, default: 1000, description: 'Between two readings of the load of a model server that is used.'
  }),
  INFERENCE_UPSTREAMS_REFRESH_MS: Type.Integer({
    minimum: 50, maximum: 600000, default: 3000, description: 'Until upstreams changed by another process on the same store are seen.'
  })
})
export type Config = Static<typeof Config>
