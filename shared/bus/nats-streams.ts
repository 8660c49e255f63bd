/**
 * What the server keeps for us: one stream, one durable consumer per subject, made again whenever
 * they are missing. Each event is a subject of its own, of which the stream keeps one message: an
 * event that still waits swallows its equal, so what an owner tells again and again does not pile
 * up, and a delivery count is not lost to a copy. A full stream refuses (discard: new) rather than
 * drop the oldest, for whoever publishes learns of it, while nobody learns of a drop: a refused
 * wake-up costs a sweep, a refused event is told again by its owner until acknowledged.
 */
import {
  AckPolicy, DeliverPolicy, DiscardPolicy, nanos, NatsError, RetentionPolicy, StorageType,
  type Consumer, type ConsumerConfig, type JetStreamManager, type NatsConnection, type StreamConfig
} from 'nats'
import { sha256 } from '../contracts/hash.ts'

/** Some 20 MB of wake-ups; of an event of 4 KiB, the largest, 400 MB. */
const messagesMax = 100_000
const ageMaxMs = 7 * 24 * 3_600_000
/** In the hands of all consumers of a subject, those in their pause included. */
const deliveredMax = 1_000
const apiTimeoutMs = 2_000

/** Codes of JetStream's API. */
const streamDiffers = 10_058
const consumerDiffers = 10_148
const notUnique = [10_099, 10_100]
const notStored = 10_077

export interface Place {
  /** Of stream and subjects; several installations may share a server. */
  prefix: string
  ackWaitMs: number
}

/** Where an event is published: its subject, then what tells it from others. */
export function subjectOf (prefix: string, subject: string, text: string): string {
  return `${prefix}.${subject}.${sha256(text).slice(0, 32)}`
}

/** Idempotent. What an operator has set besides, for example replicas, is left as it is. */
export async function ensureStream (connection: NatsConnection, prefix: string): Promise<JetStreamManager> {
  const manager = await connection.jetstreamManager({ timeout: apiTimeoutMs, checkAPI: false })
  const config: Partial<StreamConfig> & { name: string } = {
    name: prefix,
    subjects: [`${prefix}.>`],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
    max_msgs_per_subject: 1,
    max_msgs: messagesMax,
    max_age: nanos(ageMaxMs)
  }
  try {
    await manager.streams.add(config)
  } catch (cause) {
    if (codeOf(cause) !== streamDiffers) throw cause
    const { config: found } = await manager.streams.info(prefix)
    await manager.streams.update(prefix, { ...found, ...config })
  }
  return manager
}

/**
 * Idempotent. The server's own limit of deliveries is not used: what reaches it stays in the stream
 * undelivered, for days, and the one notice of that is lost when nobody listens just then, which is
 * likely for a message that ends its process. Consumers count, and give up themselves.
 *
 * @throws TypeError when the subject has a consumer of another durable name
 */
export async function ensureConsumer (
  connection: NatsConnection, { prefix, ackWaitMs }: Place, who: { subject: string, durable: string }
): Promise<Consumer> {
  const { subject, durable } = who
  const manager = await ensureStream(connection, prefix)
  const name = `${durable}=${subject.replaceAll('.', '=')}`
  const config: Partial<ConsumerConfig> = {
    durable_name: name,
    filter_subject: `${prefix}.${subject}.*`,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ackWaitMs),
    max_deliver: -1,
    max_ack_pending: deliveredMax
  }
  try {
    await manager.consumers.add(prefix, config)
  } catch (cause) {
    const code = codeOf(cause)
    if (notUnique.includes(code)) throw anotherDurable(subject, durable)
    if (code !== consumerDiffers) throw cause
    await manager.consumers.update(prefix, name, config)
  }
  return await connection.jetstream({ timeout: apiTimeoutMs }).consumers.get(prefix, name)
}

export function anotherDurable (subject: string, durable: string): TypeError {
  return new TypeError(`${subject} has a consumer already, of another name than ${durable}: a work queue delivers to one`)
}

/** Whether the very same event waits in the stream. */
export function isKept (cause: unknown): boolean {
  // The message is the client's, and wrong: it reads "jetstream not enabled".
  return codeOf(cause) === notStored && /per subject/.test((cause as NatsError).api_error?.description ?? '')
}

/** Whether nothing listens where the stream should be; it may have been wiped. */
export function isNowhere (cause: unknown): boolean {
  return cause instanceof NatsError && cause.code === '503' && codeOf(cause) === 0
}

function codeOf (cause: unknown): number {
  return cause instanceof NatsError ? cause.api_error?.err_code ?? 0 : 0
}
