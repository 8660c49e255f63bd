/**
 * Ids of the bundled sample paper and of what its walk makes: the examples in the API documents, so
 * that each works once the one before it was run. Made by `npm run sample:refresh`; a test walks.
 */
import type { IdKind } from './hash.ts'

export type Unexampled = 'partialInputBaseline' | 'judgement' | 'comparison' | 'scoreTable' | 'runImport' | 'bankImport' | 'curation' | 'sitting'

export const exampleIds: Record<Exclude<IdKind, Unexampled> | 'image', string> = {
  paper: 'pap_f480d2ab3dae7deb99d0662e1632e6a6',
  document: 'doc_27cfe5691235254f0afcdfd48f63195d',
  generation: 'gen_8588d34b7da2f137e8a8c6766f584298',
  item: 'itm_d61240ab2f52861b733a23212d479620',
  reviewing: 'rvg_7965dd174ad03e4f8d5b881ff1199b48',
  review: 'rev_ac39daed7b809a0764d806c03f98efd5',
  benchmark: 'bmk_0563dc4dd7d261fe15fa46eba21c9caa',
  run: 'run_ba4769c89afda15cd9385c88b07ddd5b',
  prediction: 'prd_c8d7a876fc770ce31a829a529ea22465',
  report: 'rep_fc239043e2f02217a1833f86c82d7e4e',
  image: '82f75f936abeff92c62be6b3531897fcc14bced9bd20157656adecb07598f070'
}
