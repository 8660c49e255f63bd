/** Progress for people, on stderr: a bar that moves on a terminal, a line a step elsewhere. */
import type { Progress } from '../../shared/contracts/job.ts'

const width = 24

export interface Step {
  show: (progress: Progress) => void
  end: (words: string) => void
}

export function beginStep (name: string, out: NodeJS.WriteStream = process.stderr): Step {
  const started = performance.now()
  const label = name.padEnd(28)
  let last = ''
  const line = (text: string) => {
    if (!out.isTTY || text === last) return
    last = text
    out.write(`\r\x1b[K${text}`)
  }
  line(`${label} …`)
  return {
    show ({ done, total, failed }) {
      const filled = total === 0 ? 0 : Math.floor(width * (done + failed) / total)
      line(`${label} ${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total}${failed > 0 ? `, ${failed} failed` : ''}`)
    },
    end (words) {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      out.write(`${out.isTTY ? '\r\x1b[K' : ''}${label} ${words} (${seconds} s)\n`)
    }
  }
}
