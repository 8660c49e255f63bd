/**
 * Runs seeded histories in a process of their own, for a test framework slows every promise down.
 * `run-histories.ts FROM TO` writes one JSON line for each history; `run-histories.ts sabotage MAX`
 * one for each kind of broken worker, with the first seed that told, or null after MAX.
 */
import { runHistory } from './task-history.ts'
import { sabotages } from './task-sabotage.ts'

const [from = '0', to = '0'] = process.argv.slice(2)
if (from === 'sabotage') {
  for (const wrong of Object.keys(sabotages)) print({ wrong, ...await firstToTell(wrong) })
} else {
  for (let seed = Number(from); seed < Number(to); seed++) {
    print({ seed, ...await runHistory(seed) })
  }
}

async function firstToTell (wrong: string): Promise<{ seed: number | null, told: string }> {
  for (let seed = 0; seed < Number(to); seed++) {
    const [told] = (await runHistory(seed, sabotages[wrong])).violations
    if (told !== undefined) return { seed, told }
  }
  return { seed: null, told: '' }
}

function print (line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
