/**
 * Ids of the bundled sample paper and of what its walk makes: the examples in the API documents, so
 * that each works once the one before it was run. Made by `npm run sample:refresh`; a test walks.
 */
import type { IdKind } from './hash.ts'

export const exampleIds: Record<Exclude<IdKind, 'partialInputBaseline'> | 'image', string> = {
  paper: 'pap_f480d2ab3dae7deb99d0662e1632e6a6',
  document: 'doc_9e14316844e1a33b01ae1458bd91baa2',
  generation: 'gen_49c1231f6441a127a92cebf8d1dee9ef',
  item: 'itm_ecbfdbe01a0249362269db3f135aa480',
  reviewing: 'rvg_8eb173712e4046a7e975f1f880c0e415',
  review: 'rev_620db7bc98afa65e71401b18afdde5ea',
  benchmark: 'bmk_ac573093b68ee04a6d0b5257e8ce2c03',
  run: 'run_f2b95f2b0003e0d4c75009277f6d8a75',
  prediction: 'prd_0baf548dd75f9a435a6903c241d8711a',
  report: 'rep_5ebe245c5b734377897e239af0c608ff',
  image: '82f75f936abeff92c62be6b3531897fcc14bced9bd20157656adecb07598f070'
}
