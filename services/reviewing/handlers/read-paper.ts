/** Documents and figures as the loop needs them, each with the latest kept. */
import { imageSideMax } from '../../../shared/clients/ask-for-value.ts'
import { recently } from '../../../shared/clients/recently.ts'
import { canonicalJson } from '../../../shared/contracts/hash.ts'
import type { Shrinker } from '../../../shared/images/shrinker.ts'
import type { Peers } from '../peers.ts'
import { getDocumentToCheck, type PaperVersion } from './get-document.ts'
import type { UnitParts } from './unit-parts.ts'

/** A document has some hundred kilobytes, a figure up to some megabytes. */
const documentsKept = 32
const figuresKept = 16

export function paperReader (peers: Peers, shrinker: Shrinker): Pick<UnitParts, 'documentOf' | 'imageOf'> {
  const documents = recently(documentsKept, async key =>
    await getDocumentToCheck(peers, JSON.parse(key) as PaperVersion))
  const figures = recently(figuresKept, async key => {
    const { paperId, documentHash, figureId } = JSON.parse(key) as PaperVersion & { figureId: string }
    const png = await peers.parsing.getFigureImage(paperId, figureId, documentHash)
    const shrunk = await shrinker.shrink(png, imageSideMax)
    return `data:image/png;base64,${shrunk.toString('base64')}`
  })
  return {
    documentOf: async paper => await documents(canonicalJson(paper)),
    imageOf: async (paper, figureId) => await figures(canonicalJson({ ...paper, figureId }))
  }
}
