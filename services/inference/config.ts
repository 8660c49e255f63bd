/** Settings of inference. */
import { Type, type Static } from 'typebox'

export const Config = Type.Object({
  UPSTREAMS: Type.String({
    default: '',
    description: 'Model servers: name=http://host:8000 separated by commas, or JSON [{name, baseUrl, models?, aliases?, slots?, weight?, capabilities?, contextTokens?, apiKeyEnv?, draining?}]. Further ones: POST /v1/upstreams.'
  }),
  INFERENCE_CONNECT_TIMEOUT_MS: Type.Integer({
    minimum: 100, maximum: 60000, default: 5000, description: 'Until a connection to a model server stands.'
  }),
  INFERENCE_QUEUE_TIMEOUT_MS: Type.Integer({
    minimum: 100, maximum: 86400000, default: 1800000, description: 'Until a call has a place at a model server.'
  }),
  INFERENCE_FIRST_BYTE_TIMEOUT_MS: Type.Integer({
    minimum: 100, maximum: 86400000, default: 600000, description: 'From a place until a stream begins. A reply that is not streamed comes whole, after all its thinking: INFERENCE_TOTAL_TIMEOUT_MS bounds that.'
  }),
  INFERENCE_IDLE_TIMEOUT_MS: Type.Integer({
    minimum: 100, maximum: 86400000, default: 120000, description: 'Between two pieces of an answer; also for a caller who takes nothing of one.'
  }),
  INFERENCE_TOTAL_TIMEOUT_MS: Type.Integer({
    minimum: 100, maximum: 86400000, default: 7200000, description: 'For all of a call, waiting and retries included; a caller may ask for less with viva-timeout-ms.'
  }),
  INFERENCE_BODY_MB: Type.Integer({ minimum: 1, maximum: 512, default: 32, description: 'Body of a request, images included.' }),
  INFERENCE_CACHE_MB: Type.Integer({ minimum: 0, maximum: 65536, default: 64, description: 'Recorded replies held in memory.' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({
    pattern: '^https?://', description: 'Collector that gets spans of model calls as OTLP over HTTP in JSON, for example http://collector:4318; without it none are made. Other OTEL_… variables of the SDK hold too: OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER, OTEL_BSP_…, OTEL_SERVICE_NAME.'
  })),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Type.Optional(Type.String({
    pattern: '^https?://', description: 'The same with its whole path, and wins.'
  })),
  LOG_PROMPTS: Type.Optional(Type.Enum(['0', '1'], {
    description: '1: the log also holds what models are asked and answer, 4,000 characters of each at most. Else no log, metric or span has any of it.'
  })),
  INFERENCE_IMAGES_MAX: Type.Integer({ minimum: 0, maximum: 10000, default: 64, description: 'Images in one request; a sequence of frames counts each.' }),
  INFERENCE_IMAGE_MB: Type.Integer({ minimum: 1, maximum: 1024, default: 20, description: 'Size of one image, sound or film as a file.' }),
  INFERENCE_IMAGE_MEGAPIXELS: Type.Integer({ minimum: 1, maximum: 1000, default: 64, description: 'Width times height of one image, as its header says.' }),
  INFERENCE_MEDIA: Type.String({ pattern: '^ *(image|audio|video)?( *, *(image|audio|video))* *$', default: 'image', description: 'What requests may show a model: image, audio, video, separated by commas. What audio and video inflate to cannot be checked here.' }),
  INFERENCE_MEDIA_HOSTS: Type.String({ default: '', description: 'Hosts a model server may fetch media from, separated by commas; * is any, file: its own files. None: data URLs only. This service fetches nothing itself.' }),
  INFERENCE_QUEUE_MAX: Type.Integer({ minimum: 1, maximum: 1000000, default: 20000, description: 'Requests that wait for a slot at once, of all models. One caller fills half of it at most; beyond: 429 with Retry-After.' }),
  INFERENCE_QUEUE_MB: Type.Integer({ minimum: 1, maximum: 65536, default: 512, description: 'The same for the size of their bodies, which wait in memory.' }),
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
