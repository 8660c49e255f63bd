/**
 * Ids of the bundled sample paper and of what its walk makes: the examples in the API documents, so
 * that each works once the one before it was run. Made by `npm run sample:refresh`; a test walks.
 */
import type { IdKind } from './hash.ts'

export type Unexampled = 'partialInputBaseline' | 'judgement' | 'comparison' | 'scoreTable' | 'runImport' | 'bankImport' | 'curation' | 'sitting'

export const exampleIds: Record<Exclude<IdKind, Unexampled> | 'image', string> = {
  paper: 'pap_f480d2ab3dae7deb99d0662e1632e6a6',
  document: 'doc_0deedd6f5f37939f76aca70f1edcf60e',
  generation: 'gen_3f238d262025943020b7953bc9af0165',
  item: 'itm_e63d0b6430dfa5ad75e7a3f08c802697',
  reviewing: 'rvg_752b2adbf59410e665b03a29d9bc7722',
  review: 'rev_dd8eac472e7fe6425001031919cbd8d0',
  benchmark: 'bmk_04dc89cd77dbbd4445190d7d570474fa',
  run: 'run_9ef9b80579c7905ce37f46f01ac93731',
  prediction: 'prd_fc1994c1c5d6db993eed757896ec81b5',
  report: 'rep_475421e7edab54847f94925f37689295',
  image: '72f5a3037a924ff8df5efb5d96ef223c9bde8e3866949d9b33700816c25678ae'
}
