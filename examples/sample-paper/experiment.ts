/** Runs the experiment, prints the coverages and writes results.json, in about a minute. */
import { writeFileSync } from 'node:fs'
import { methods } from './intervals.ts'
import { firstReplicates, plan, runCell, runDensity, settingsOf, type Cell } from './simulate.ts'
import { designEffect, naiveCoverage, papersNeeded } from './theory.ts'

const cells: Cell[] = []
for (const setting of settingsOf(plan)) {
  const cell = runCell(setting, plan)
  cells.push(cell)
  const shares = methods.map(method => `${method} ${cell[method].covered.toFixed(4)}`)
  console.log(`papers ${cell.papers}, icc ${cell.icc}, items ${cell.items} ${cell.sizes}, accuracy ${cell.accuracy}: ${shares.join(', ')}`)
}
const density = runDensity(plan)
console.log(`correlation ${density.correlation}, too low ${density.tooLow}, too high ${density.tooHigh}`)

const half = 0.05
const results = {
  plan,
  theory: {
    byItems: plan.items.map(items => ({ items, ...theoryOf({ ...plan.base, items }) })),
    byIcc: plan.iccs.map(icc => ({ icc, ...theoryOf({ ...plan.base, icc }) })),
    half,
    needed: plan.iccs.map(icc => ({ icc, papers: papersNeeded({ ...plan.base, icc }, half) })),
    neededWithEndlessItems: papersNeeded({ ...plan.base, items: Infinity }, half)
  },
  first: firstReplicates(plan, 30),
  cells,
  density
}
writeFileSync(new URL('results.json', import.meta.url), layOut(results))

function theoryOf (setting: { items: number, icc: number }) {
  return {
    designEffect: Number(designEffect(setting).toFixed(6)),
    coverage: Number(naiveCoverage(setting).toFixed(6))
  }
}

/** JSON with one line for each member, and for each cell and replicate: it reads well in a diff. */
function layOut (value: object): string {
  const members = Object.entries(value).map(([key, member]) => {
    const text = Array.isArray(member)
      ? `[\n${member.map(entry => `    ${JSON.stringify(entry)}`).join(',\n')}\n  ]`
      : JSON.stringify(member)
    return `  ${JSON.stringify(key)}: ${text}`
  })
  return `{\n${members.join(',\n')}\n}\n`
}
