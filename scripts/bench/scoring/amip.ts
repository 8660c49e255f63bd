/** The sensitivity card of a leaderboard of votes, as the service computes it. */
import { statistics } from '../../../services/scoring/domain/statistics/statistics.ts'
import { drawsOf } from '../../../shared/stats/draws.ts'
import type { Figure } from '../inference/figure.ts'
import { timed } from './timed.ts'

const [players, votes] = [50, 100_000]
const secondsMax = 1
const megabytesMax = 500

/**
 * Fit, influences, refit without the ten most damaging votes and without each vote, and the fewest votes that
 * turn the first two.
 */
export async function amipSpeed (): Promise<Figure[]> {
  const draws = drawsOf(3)
  const abilities = Array.from({ length: players }, () => draws.normal())
  const matches = Array.from({ length: votes }, () => {
    const left = draws.below(players)
    const right = (left + 1 + draws.below(players - 1)) % players
    const won = draws.next() < 1 / (1 + Math.exp(abilities[right]! - abilities[left]!))
    return [left, right, won ? 1 : 0]
  })
  const body = { n: players, matches_left_right_leftwins: matches, alphaN: 10 }
  const rounds = Array.from({ length: 3 }, () => timed(() =>
    statistics['bt-amip'].compute(body) as { smallest_flip: number | null }))
  const { result, wallSeconds, cpuSeconds, megabytes } =
    rounds.toSorted((a, b) => a.cpuSeconds - b.cpuSeconds)[0]!
  return [{
    what: `AMIP card of ${votes.toLocaleString('en')} votes on ${players} models`,
    measured: `${cpuSeconds.toFixed(2)} s of one core (${wallSeconds.toFixed(2)} s by the clock), ${Math.round(megabytes)} MB`,
    bar: `< ${secondsMax} s of one core, < ${megabytesMax} MB`,
    met: cpuSeconds < secondsMax && megabytes < megabytesMax,
    n: `best of ${rounds.length}; smallest flip: ${result.smallest_flip ?? 'none'} votes`,
    values: { wallSeconds, cpuSeconds, megabytes }
  }]
}
