/** An item bank's way to a reviewing: upload, import, curate. */
import type { BankImport, ImportRow } from '../../shared/contracts/bank.ts'
import type { Benchmark } from '../../shared/contracts/benchmark.ts'
import type { Curation } from '../../shared/contracts/curation.ts'
import type { Page } from '../../shared/contracts/page.ts'
import type { Api } from './api.ts'
import type { BankArguments } from './arguments.ts'
import { packBank } from './pack-bank.ts'
import { beginStep } from './progress.ts'

export async function importBank (api: Api, { file, options }: BankArguments): Promise<BankImport> {
  const step = beginStep(`Import ${file.split(/[\\/]/).at(-1)?.slice(-21)}`)
  const { id } = await api.uploadBank<BankImport>(packBank(file), options)
  const imported = await api.follow<BankImport>(`/v1/imports/${id}`, ({ progress }) => { step.show(progress) })
  const { rejected, repaired, flagged } = imported.rowCounts
  step.end(`${imported.itemCount} items of ${imported.rowCount} rows: ${repaired} repaired, ${flagged} flagged, ${rejected} rejected`)
  return imported
}

/** With why each of them is no item. */
export async function rejectedRows (api: Api, importId: string): Promise<ImportRow[]> {
  const found: ImportRow[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page: Page<ImportRow> = await api.get(`/v1/imports/${importId}/rows?state=rejected&limit=200${from}`)
    found.push(...page.items)
    cursor = page.nextCursor
  }
  return found
}

export async function shuffleChoices (api: Api, bank: BankImport, seed: number): Promise<Curation> {
  const step = beginStep('Shuffle choices')
  const { id } = await api.post<Curation>('/v1/curations', {
    source: { importId: bank.id }, steps: [{ step: 'shuffle-choices' }], seed
  })
  const curation = await api.follow<Curation>(`/v1/curations/${id}`, ({ progress }) => { step.show(progress) })
  step.end(`${curation.stepCounts[0]?.changed ?? 0} of ${curation.itemCount} items in another order`)
  return curation
}

/** Without a paper there is nothing to quote from: only what chooses can be told from chance. */
export function baselinesOf ({ card }: Benchmark): string[] {
  const has = (kind: string) => (card.byKind[kind] ?? 0) > 0
  return [
    ...has('binary') ? ['baseline/always-yes'] : [],
    ...has('binary') || has('choice') ? ['baseline/random'] : []
  ]
}
