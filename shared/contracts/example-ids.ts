/**
 * Ids of the bundled sample paper and of what its walk makes: the examples in the API documents, so
 * that each works once the one before it was run. Made by `npm run sample:refresh`; a test walks.
 */
import type { IdKind } from './hash.ts'

export const exampleIds: Record<IdKind | 'image', string> = {
  paper: 'pap_f480d2ab3dae7deb99d0662e1632e6a6',
  document: 'doc_6165a081080fb0bcf79ccb905636ddab',
  generation: 'gen_42276aef12fffc8580aae4f57d6c4db0',
  item: 'itm_8b238430120aca332dd27b0c4e9217b3',
  reviewing: 'rvg_11de8005a150573e972d879bd2aaab5e',
  review: 'rev_587dbbe1a3df0abe9a77bed49e692aa6',
  benchmark: 'bmk_a9dfe40a04a226370b25dc8345b972ef',
  run: 'run_065abc503f48cc7c9c060f4b0c17c935',
  prediction: 'prd_adaa85f0a6f0105e8e4e7b8725318e11',
  report: 'rep_cd250a728687d1f3742be3aca3641c8b',
  image: '72f5a3037a924ff8df5efb5d96ef223c9bde8e3866949d9b33700816c25678ae'
}
