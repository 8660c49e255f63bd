/**
 * Ids of the bundled sample paper and of what its walk makes: the examples in the API documents, so
 * that each works once the one before it was run. Made by `npm run sample:refresh`; a test walks.
 */
import type { IdKind } from './hash.ts'

export const exampleIds: Record<IdKind | 'image', string> = {
  paper: 'pap_f480d2ab3dae7deb99d0662e1632e6a6',
  document: 'doc_0ed580ad737b2ce0990a0618ca5e6ff3',
  generation: 'gen_25689f69a4927da3f8a4114d11d199ea',
  item: 'itm_3674a82b1fe85ba318ca2c8d2fa9bf90',
  reviewing: 'rvg_1ed9c2d149956081fcfe538828d3c132',
  review: 'rev_7ef3434e5dcea37a7c9ff185f21926f4',
  benchmark: 'bmk_0627c9f0fe1033f8124bfbdae451f97b',
  run: 'run_87e912f8e003a3e81a0da654972c4dc7',
  prediction: 'prd_d288c216058174b7d8274159c6658d5f',
  report: 'rep_a036501852697988da7efe5f3804efc9',
  image: '23929abfb47b309a8a7d798f78db71c5a9d0e650f94bdabc2c4e665b9549b2ad'
}
