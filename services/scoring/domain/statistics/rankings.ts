/** Rankings from comparisons and from bootstrap replicates. */
import { Type } from 'typebox'
import {
  bradleyTerry, eloOf, estimateExists, notConnected, winProbability, winsOf
} from '../../../../shared/stats/bradley-terry.ts'
import {
  gapWithout, mostDamaging, sensitivityOf, smallestFlip, type Sensitivity, type Vote
} from '../../../../shared/stats/bradley-terry-sensitivity.ts'
import { rankIntervals } from '../../../../shared/stats/rank-intervals.ts'
import {
  assertRectangle, because, bodyOf, contradiction, Defined, DefinedList, Matrix, statistic, valuesMax
} from './statistic.ts'

/** A fit is cubic in them. */
const playersMax = 300
const Players = Type.Integer({ minimum: 1, maximum: playersMax, description: 'Players are 0 to n - 1.' })
const Player = Type.Integer({ minimum: 0, maximum: playersMax - 1 })
const Games = Type.Array(Type.Array(Player, { minItems: 2, maxItems: 2 }), {
  minItems: 1, maxItems: valuesMax, description: '[winner, loser]'
})
const Wins = Type.Array(
  Type.Array(Type.Number({ minimum: 0, maximum: 1e9 }), { minItems: 1, maxItems: playersMax }),
  { minItems: 1, maxItems: playersMax, description: 'wins[i][j]: how often i beat j.' })
const gamesExample = [[0, 1], [1, 2], [2, 0], [0, 2]]

type Table = ReadonlyArray<readonly number[]>

function votesOf (n: number, games: ReadonlyArray<readonly number[]>): Vote[] {
  return games.map(([winner, loser], at) => vote({ n, at, name: 'games_winner_loser' }, winner!, loser!))
}

interface Place { n: number, at: number, name: string }

function vote ({ n, at, name }: Place, winner: number, loser: number): Vote {
  if (winner >= n || loser >= n) throw contradiction(`/${name}/${at}`, `Players are 0 to ${n - 1}: raise n, or number them so.`)
  if (winner === loser) throw contradiction(`/${name}/${at}`, 'A player does not play against itself; leave this game out.')
  return { winner, loser }
}

function assertSquare (n: number, wins: Table): void {
  const square = wins.length === n && wins.every(row => row.length === n)
  if (!square) throw contradiction('/wins', `wins has ${n} rows of ${n} numbers.`)
  const self = wins.findIndex((row, i) => row[i] !== 0)
  if (self >= 0) throw contradiction(`/wins/${self}/${self}`, 'A player does not play against itself; give 0.')
}

/** Wins may stand beside the games they were counted from. */
function assertSameWins (counted: readonly Float64Array[], given: Table | undefined): void {
  if (given === undefined) return
  assertSquare(counted.length, given)
  const differs = counted.some((row, i) => row.some((count, j) => count !== given[i]![j]))
  if (differs) throw contradiction('/wins', 'wins is not what the games add up to; leave it out.')
}

const mle = statistic({
  summary: 'Bradley-Terry abilities by maximum likelihood, if they exist',
  body: bodyOf({
    n: Players, games_winner_loser: Games, wins: Type.Optional(Wins)
  }, { n: 3, games_winner_loser: gamesExample }),
  answer: {
    theta_mean0: DefinedList,
    loglik: Defined,
    se_mean0: DefinedList,
    elo_400_1000: DefinedList,
    max_gradient: Defined,
    win_prob: Type.Array(DefinedList)
  },
  isHeavy: ({ n }) => n > 50,
  compute ({ n, games_winner_loser: games, wins: given }) {
    const wins = winsOf(n, votesOf(n, games))
    assertSameWins(wins, given)
    const fit = bradleyTerry(wins)
    const none = wins.map(() => NaN)
    if ('reason' in fit) {
      const lists = { theta_mean0: none, se_mean0: none, elo_400_1000: none }
      return { ...lists, loglik: NaN, max_gradient: NaN, win_prob: wins.map(() => none), ...fit }
    }
    return {
      theta_mean0: fit.abilities,
      loglik: fit.logLikelihood,
      se_mean0: fit.errors,
      elo_400_1000: fit.abilities.map(eloOf),
      max_gradient: fit.slope,
      win_prob: fit.abilities.map((_, i) => fit.abilities.map((_, j) => winProbability(fit.abilities, i, j)))
    }
  }
})

const tiesHalf = statistic({
  summary: 'Bradley-Terry abilities with a tie as half a win for each',
  body: bodyOf({
    n: Players,
    games: Type.Array(Type.Tuple([Player, Player, Type.Enum(['win', 'tie'])]), { minItems: 1, maxItems: valuesMax, description: '[winner, loser, "win"] or [one, other, "tie"]' }),
    wins: Type.Optional(Wins)
  }, { n: 2, games: [[0, 1, 'win'], [1, 0, 'tie']] }),
  answer: { theta_mean0: DefinedList, elo_400_1000: DefinedList },
  isHeavy: ({ n }) => n > 50,
  compute ({ n, games, wins: given }) {
    const wins = winsOf(n, games.flatMap(([i, j, result], at) => {
      const { winner, loser } = vote({ n, at, name: 'games' }, i, j)
      if (result === 'win') return [{ winner, loser }]
      return [{ winner, loser, weight: 0.5 }, { winner: loser, loser: winner, weight: 0.5 }]
    }))
    assertSameWins(wins, given)
    const fit = bradleyTerry(wins)
    const none = wins.map(() => NaN)
    if ('reason' in fit) return { theta_mean0: none, elo_400_1000: none, ...fit }
    return { theta_mean0: fit.abilities, elo_400_1000: fit.abilities.map(eloOf) }
  }
})

const ridge = statistic({
  summary: 'Bradley-Terry abilities with a penalty of lambda · Σθ², which always exist',
  body: bodyOf({
    n: Players, wins: Wins, lambda: Type.Number({ minimum: 1e-6, maximum: 1e6 })
  }, { n: 2, wins: [[0, 3], [0, 0]], lambda: 0.1 }),
  answer: { theta: DefinedList },
  isHeavy: ({ n }) => n > 50,
  compute ({ n, wins, lambda }) {
    assertSquare(n, wins)
    const fit = bradleyTerry(wins, { ridge: lambda })
    return 'reason' in fit ? { theta: wins.map(() => NaN), ...fit } : { theta: fit.abilities }
  }
})

const existence = statistic({
  summary: 'Whether Bradley-Terry abilities of maximum likelihood exist, and if so which',
  body: bodyOf({ n: Players, games_winner_loser: Games }, { n: 3, games_winner_loser: gamesExample }),
  answer: { mle_exists: Type.Boolean(), theta_mean0: Type.Union([DefinedList, Type.Null()]) },
  isHeavy: ({ n }) => n > 50,
  compute ({ n, games_winner_loser: games }) {
    const wins = winsOf(n, votesOf(n, games))
    const fit = estimateExists(wins) ? bradleyTerry(wins) : { reason: notConnected }
    if ('reason' in fit) return { mle_exists: false, theta_mean0: null, ...fit }
    return { mle_exists: true, theta_mean0: fit.abilities }
  }
})

const NullableList = Type.Union([DefinedList, Type.Null()])
const NullableRows = Type.Union([Type.Array(DefinedList), Type.Null()])
/** Numbers of influence in one answer, and operations of fits without each vote. */
const influencesMax = 200_000
const leaveOutWorkMax = 2e9

const amip = statistic({
  summary: 'How few votes make the first two of a Bradley-Terry ranking change places, with exact refits',
  body: bodyOf({
    n: Type.Integer({ minimum: 2, maximum: playersMax }),
    matches_left_right_leftwins: Type.Array(Type.Tuple([Player, Player, Type.Enum([0, 1])]), {
      minItems: 1, maxItems: valuesMax
    }),
    alphaN: Type.Integer({ minimum: 1, maximum: valuesMax, description: 'Votes to leave out.' })
  }, { n: 2, matches_left_right_leftwins: [[0, 1, 1], [0, 1, 1], [0, 1, 0], [1, 0, 0]], alphaN: 1 }),
  answer: {
    beta_ref0: NullableList,
    influence_IF: NullableRows,
    influence_1sN: NullableRows,
    top1: Defined,
    top2: Defined,
    diff: Defined,
    drop_set_sorted: NullableList,
    drop_influences: NullableList,
    new_diff_amip: Defined,
    new_diff_refit: Defined,
    loo_exact_diff: NullableList,
    smallest_flip: Defined,
    smallest_flip_diff: Defined
  },
  isHeavy: () => true,
  compute ({ n, matches_left_right_leftwins: matches, alphaN }) {
    const votes = matches.map(([left, right, leftWins], at) =>
      vote({ n, at, name: 'matches_left_right_leftwins' }, leftWins === 1 ? left : right, leftWins === 1 ? right : left))
    if (alphaN >= votes.length) throw contradiction('/alphaN', `There are ${votes.length} matches: leave out fewer.`)
    const found = sensitivityOf(n, votes)
    if ('reason' in found) return { ...nothingKnown, ...found }
    return sensitivityAnswer(votes, alphaN, found)
  }
})

const nothingKnown = Object.fromEntries([
  'beta_ref0', 'influence_IF', 'influence_1sN', 'top1', 'top2', 'diff', 'drop_set_sorted', 'drop_influences',
  'new_diff_amip', 'new_diff_refit', 'loo_exact_diff', 'smallest_flip', 'smallest_flip_diff'
].map(key => [key, null]))

function sensitivityAnswer (votes: readonly Vote[], alphaN: number, found: Sensitivity) {
  const { fit: { abilities }, gap, top, second, shiftOf, influenceOf } = found
  const order = mostDamaging(votes, found)
  const dropped = order.slice(0, alphaN)
  const refit = gapWithout(votes, dropped, found)
  const flip = smallestFlip(votes, found)
  const others = abilities.slice(1).map((_, i) => i + 1)
  const brief = votes.length * others.length > influencesMax
  const rows = (of: 'first' | 'oneStep') =>
    brief ? null : others.map(player => votes.map(vote => influenceOf(vote)[of][player]!))
  const left = leaveOneOut(votes, found)
  const reasons = [
    typeof refit !== 'number' && `Without these votes there is no estimate: ${refit.reason}.`,
    flip === null && 'No number of votes makes the two change places and leaves an estimate.',
    brief && `Influences are listed up to ${influencesMax} numbers.`,
    left === null && 'Fits without each vote are computed for fewer votes and players.',
    left?.some(Number.isNaN) === true && 'Without some vote there is no estimate.'
  ]
  return {
    beta_ref0: others.map(player => abilities[player]! - abilities[0]!),
    influence_IF: rows('first'),
    influence_1sN: rows('oneStep'),
    top1: top,
    top2: second,
    diff: gap,
    drop_set_sorted: [...dropped].sort((a, b) => a - b),
    drop_influences: order.slice(0, alphaN + 1).map(at => shiftOf(votes[at]!)),
    new_diff_amip: dropped.reduce((sum, at) => sum + shiftOf(votes[at]!), gap),
    new_diff_refit: typeof refit === 'number' ? refit : NaN,
    loo_exact_diff: left,
    smallest_flip: flip === null ? null : flip.votes.length,
    smallest_flip_diff: flip === null ? null : flip.gap,
    ...because(reasons.find(reason => reason !== false))
  }
}

/** Identical votes are fitted once. */
function leaveOneOut (votes: readonly Vote[], found: Sensitivity): number[] | null {
  const players = found.fit.abilities.length
  const key = ({ winner, loser }: Vote) => winner * players + loser
  const kinds = new Map(votes.map((vote, at) => [key(vote), at]))
  if (kinds.size * players ** 3 > leaveOutWorkMax) return null
  const gaps = new Map([...kinds].map(([kind, at]) => {
    const gap = gapWithout(votes, [at], found)
    return [kind, typeof gap === 'number' ? gap : NaN]
  }))
  return votes.map(vote => gaps.get(key(vote))!)
}

const ranks = statistic({
  summary: 'Score and rank intervals over bootstrap replicates',
  sized: { fields: ['bootstrap_scores'], inUnits: { ci_low: 1, ci_high: 1 } },
  body: bodyOf({ bootstrap_scores: Matrix }, { bootstrap_scores: [[0.9, 0.5], [0.8, 0.85], [0.7, 0.6]] }),
  answer: {
    ci_low: DefinedList,
    ci_high: DefinedList,
    arena_rank_ub: DefinedList,
    arena_rank_lb: DefinedList,
    'rank_pct_2.5': DefinedList,
    'rank_pct_97.5': DefinedList,
    p_rank1: DefinedList
  },
  compute ({ bootstrap_scores: replicates }) {
    assertRectangle('bootstrap_scores', replicates)
    const found = rankIntervals(replicates)
    return {
      ci_low: found.map(({ low }) => low),
      ci_high: found.map(({ high }) => high),
      arena_rank_ub: found.map(({ best }) => best),
      arena_rank_lb: found.map(({ worst }) => worst),
      'rank_pct_2.5': found.map(({ rankLow }) => rankLow),
      'rank_pct_97.5': found.map(({ rankHigh }) => rankHigh),
      p_rank1: found.map(({ first }) => first)
    }
  }
})

export const rankings = {
  'bradley-terry-mle': mle,
  'bradley-terry-ties-half': tiesHalf,
  'bradley-terry-l2': ridge,
  'bradley-terry-no-mle': existence,
  'bt-amip': amip,
  'rank-intervals': ranks
}
