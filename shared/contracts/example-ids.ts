/**
 * Ids of the bundled sample paper and of what its walk makes: the examples in the API documents, so
 * that each works once the one before it was run. Made by `npm run sample:refresh`; a test walks.
 */
import type { IdKind } from './hash.ts'

export type Unexampled = 'partialInputBaseline' | 'judgement' | 'comparison' | 'scoreTable' | 'runImport' | 'bankImport' | 'curation'

export const exampleIds: Record<Exclude<IdKind, Unexampled> | 'image', string> = {
  paper: 'pap_f480d2ab3dae7deb99d0662e1632e6a6',
  document: 'doc_0deedd6f5f37939f76aca70f1edcf60e',
  generation: 'gen_615bd52b18bed802b29aa03f91b9528f',
  item: 'itm_641f602bd5dfe4a4d1653b48c1a168b5',
  reviewing: 'rvg_df8738509c54e14bf16bd55d16308255',
  review: 'rev_e5a4cf30019bd1d4345d1d29b102c6ca',
  benchmark: 'bmk_d6447de24a0b0fb03e2a146964934e27',
  run: 'run_8b2ae2f6a4fe2caa86b91358b1737c53',
  prediction: 'prd_eb311098b2cb3394e0ac2f5d1bc50b2a',
  report: 'rep_01eab4d73089f4a9b815572a7eab4c8f',
  image: '82f75f936abeff92c62be6b3531897fcc14bced9bd20157656adecb07598f070'
}
