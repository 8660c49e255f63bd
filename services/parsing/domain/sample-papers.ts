/** A choice of papers with quotas by domain, the same for everyone who has the same papers and seed. */
import { sha256 } from '../../../shared/contracts/hash.ts'
import { domains, type Domain } from '../../../shared/contracts/domain.ts'

export interface Candidate { paperId: string, domain: Domain, figures: number }

export interface Quotas {
  /** Papers wanted of each domain; none of those left out. */
  quotas: Partial<Record<Domain, number>>
  seed: number
  /** Only papers with at least so many figures. */
  figuresMin: number
}

export interface Sampled {
  papers: Candidate[]
  /** How many papers each quota lacks; only domains that lack some. */
  missing: Partial<Record<Domain, number>>
}

/**
 * Of each domain the papers whose hash with the seed is smallest: uniform over papers, whatever their
 * order, and stable: a further paper takes the place of at most one other.
 *
 * @returns by domain in the order of `domains`, then in the order drawn
 */
export function samplePapers (
  candidates: readonly Candidate[], { quotas, seed, figuresMin }: Quotas
): Sampled {
  const papers: Candidate[] = []
  const missing: Sampled['missing'] = {}
  for (const domain of domains) {
    const wanted = quotas[domain] ?? 0
    const drawn = candidates
      .filter(candidate => candidate.domain === domain && candidate.figures >= figuresMin)
      .map(candidate => ({ candidate, key: sha256(`${seed} ${candidate.paperId}`) }))
      .sort((a, b) => a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
      .slice(0, wanted)
    papers.push(...drawn.map(({ candidate }) => candidate))
    if (drawn.length < wanted) missing[domain] = wanted - drawn.length
  }
  return { papers, missing }
}
