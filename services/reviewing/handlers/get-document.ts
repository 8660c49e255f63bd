/** The very document that items were made from. */
import { setImmediate } from 'node:timers/promises'
import type { Document } from '../../../shared/contracts/document.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { saidInSteps } from '../../../shared/text/said-sentences.ts'
import type { Peers } from '../peers.ts'

export interface PaperVersion { paperId: string, documentHash: string }

/** @throws Problem service-invalid when another document comes back: offsets would mean other text */
export async function getDocument (
  { parsing }: Pick<Peers, 'parsing'>, { paperId, documentHash }: PaperVersion
): Promise<Document> {
  const document = await parsing.getDocument(paperId, documentHash)
  if (document.documentHash === documentHash && document.paperId === paperId) return document
  throw new Problem('service-invalid', `Parsing answered document ${document.documentHash} of ${document.paperId} where ${documentHash} of ${paperId} was asked for.`)
}

/** Long papers take some tenths of a second to be made ready; others have their turn every so often. */
const stepMs = 10

/** As `getDocument`, ready for the checks, so that none of them is the one that takes long. */
export async function getDocumentToCheck (
  peers: Pick<Peers, 'parsing'>, paper: PaperVersion
): Promise<Document> {
  const document = await getDocument(peers, paper)
  let turn = performance.now()
  const steps = saidInSteps(document)
  while (steps.next().done !== true) {
    if (performance.now() - turn < stepMs) continue
    await setImmediate()
    turn = performance.now()
  }
  return document
}
