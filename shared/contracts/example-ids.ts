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
  reviewing: 'rvg_b4031c9f9a91d93ffdc23a958322c24b',
  review: 'rev_806ecb823a7d3ff03be8e277b340b776',
  benchmark: 'bmk_e8af834d9fbc65a837a996aa0c63df82',
  run: 'run_202bf64c30690373283ff91b4db65d15',
  prediction: 'prd_5111ef49960bbf8a3c1e9bba9f1f1835',
  report: 'rep_81ac4e3a475f7f4c500efc9d1c4d7ee2',
  image: '453f53cca5930644e9d81afb8069120132c22307cc024ad6598c4cd351b11807'
}
