/** The very document that items were made from. */
import type { Document } from '../../../shared/contracts/document.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import { saidInSteps } from '../../../shared/text/said-sentences.ts'
import type { Peers } from '../peers.ts'
import { inTurns } from '../../../shared/tasks/in-turns.ts'

export interface PaperVersion { paperId: string, documentHash: string }

/** @throws Problem service-invalid when another document comes back: offsets would mean other text */
export async function getDocument (
  { parsing }: Pick<Peers, 'parsing'>, { paperId, documentHash }: PaperVersion
): Promise<Document> {
  const document = await parsing.getDocument(paperId, documentHash)
  if (document.documentHash === documentHash && document.paperId === paperId) return document
  throw new Problem('service-invalid', `Parsing answered document ${document.documentHash} of ${document.paperId} where ${documentHash} of ${paperId} was asked for.`)
}

/** As `getDocument`, ready for the checks, so that none of them is the one that takes long. */
export async function getDocumentToCheck (
  peers: Pick<Peers, 'parsing'>, paper: PaperVersion
): Promise<Document> {
  const document = await getDocument(peers, paper)
  await inTurns(saidInSteps(document))
  return document
}
