/** The very document that items were made from. */
import type { Document } from '../../../shared/contracts/document.ts'
import { Problem } from '../../../shared/errors/problem.ts'
import type { Peers } from '../peers.ts'

export interface PaperVersion { paperId: string, documentHash: string }

/** @throws Problem conflict when the paper has been parsed anew: offsets would mean something else */
export async function getDocument (
  { parsing }: Pick<Peers, 'parsing'>, { paperId, documentHash }: PaperVersion
): Promise<Document> {
  const document = await parsing.getDocument(paperId)
  if (document.documentHash === documentHash) return document
  throw new Problem('conflict', `Paper ${paperId} now has document ${document.documentHash}; the items were made from ${documentHash}. Generate items from the new one.`)
}
