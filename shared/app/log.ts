/** Logs go to stderr as JSON lines; stdout is for results. */
import { destination, pino, type Logger } from 'pino'

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

export function createLog (level: LogLevel, file?: string): Logger {
  return pino({
    level,
    base: null,
    redact: ['headers.authorization', '*.headers.authorization', '*.apiKey']
  }, destination({ dest: file ?? 2, sync: true, mkdir: true }))
}

export function silentLog (): Logger {
  return pino({ level: 'silent' })
}
