/**
 * Ids of the bundled sample paper and of what its walk makes: the examples in the API documents, so
 * that each works once the one before it was run. Made by `npm run sample:refresh`; a test walks.
 */
import type { IdKind } from './hash.ts'

export const exampleIds: Record<IdKind, string> = {
  paper: 'pap_8762615301fbe79b58260e63f75a0df6',
  document: 'doc_c3e642013992800bbb86844231437cfd',
  generation: 'gen_17b9dc970326c180f6c4ccd1d5eb1f6e',
  item: 'itm_7dc81680e7d3fa1211ebc8f98ef16872',
  reviewing: 'rvg_9e90a85bd00de77e5337bae8f68f6b8f',
  review: 'rev_ed6f478927a461cbff14fef12b057fec',
  benchmark: 'bmk_39a41d423c7154038411f9635742751a',
  run: 'run_a7e6295bd70888f9d8e7f86570a9b7fa',
  prediction: 'prd_f35cd7a30f0804178432b616e330277b',
  report: 'rep_97933210bc1334a101302bc01f353e3c'
}
