/** A table of K-MetBench's published claims with our word on each: `npm run claims -- FILE`. */
import { readFile } from 'node:fs/promises'
import { verdictsOf, type LeaderboardFile } from './golden/kmetbench-claims.ts'

const path = process.argv[2]
if (path === undefined) {
  console.error('Which file? Run: npm run claims -- kmetbench_leaderboard.json')
  process.exit(2)
}
const file = JSON.parse(await readFile(path, 'utf8')) as LeaderboardFile
const verdicts = verdictsOf(file)
console.log('| Claim | Published | From the public counts | Word | |\n|---|---|---|---|---|')
for (const { claim, paper } of file.claims) {
  const verdict = verdicts.find(({ about }) => claim.includes(about))
  console.log(`| ${verdict?.about ?? claim} | ${written(paper)} | ${written(verdict?.recomputed)} | ${verdict?.word ?? 'not looked at'} | ${verdict?.said ?? ''} |`)
}

function written (value: unknown): string {
  if (typeof value === 'number') return String(Number(value.toFixed(4)))
  if (Array.isArray(value)) return value.map(written).join(', ')
  if (typeof value !== 'object' || value === null) return String(value ?? '–')
  return Object.entries(value).map(([name, each]) => `${name}: ${written(each) || 'none'}`).join('; ')
}
