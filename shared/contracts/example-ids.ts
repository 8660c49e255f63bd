/**
 * Ids of the bundled sample paper and of what its walk makes: the examples in the API documents, so
 * that each works once the one before it was run. Made by `npm run sample:refresh`; a test walks.
 */
import type { IdKind } from './hash.ts'

export const exampleIds: Record<IdKind | 'image', string> = {
  paper: 'pap_f480d2ab3dae7deb99d0662e1632e6a6',
  document: 'doc_1ec1327ae60cf2ec4af5daa13b51754b',
  generation: 'gen_c3486cea74f489c514d8cb8f6a26bb5a',
  item: 'itm_f5ba75fd74ddd399e526cab0b22d66e3',
  reviewing: 'rvg_588aa4663ccebe0adc1a0ce0824e506b',
  review: 'rev_da7c4edb3495bffbb9fbcbfc5b6e5c46',
  benchmark: 'bmk_03ca9199b738bcdd1015dc2488fd79aa',
  run: 'run_d7bead840ceb240423f35990e0d38893',
  prediction: 'prd_c86d0ade92a703412c660118a710774a',
  report: 'rep_694f24312040407fb74de29239e1d1bb',
  image: '950d761497480c8069dc11310bc3eb532826b6b2970a46c4fd67bcd42ff7ec3d'
}
