/**
 * Ids of the bundled sample paper and of what its walk makes: the examples in the API documents, so
 * that each works once the one before it was run. Made by `npm run sample:refresh`; a test walks.
 */
import type { IdKind } from './hash.ts'

export const exampleIds: Record<IdKind | 'image', string> = {
  paper: 'pap_f480d2ab3dae7deb99d0662e1632e6a6',
  document: 'doc_0ed580ad737b2ce0990a0618ca5e6ff3',
  generation: 'gen_2c10ac6d1090aa379e7dfe13f4c641c6',
  item: 'itm_9082f85022373649a11c017630a3a2cf',
  reviewing: 'rvg_b69fcbc4f778abbf8efefc971d10bfed',
  review: 'rev_0929a50395701163d4d60b585a318cc1',
  benchmark: 'bmk_370e0377bfd77503065244ce6eefbdc6',
  run: 'run_8a6228a0394551f61867c2531e19c12d',
  prediction: 'prd_6df0a9b02c8fdd81d00207548c796aff',
  report: 'rep_f846844c7cd7b03751590d2f70f932ee',
  image: '48fa8ad9757703ce3a094797011cd0e1f8ba9ef81c885b7ffd9dcf5ffee6e455'
}
