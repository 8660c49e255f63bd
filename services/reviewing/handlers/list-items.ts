/** The items that one generation made of one paper. */
import type { Item } from '../../../shared/contracts/item.ts'
import type { Peers } from '../peers.ts'

export async function listItems (
  { generation }: Pick<Peers, 'generation'>, asked: { generationId: string, paperId: string }
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const page = await generation.listItems({ ...asked, limit: 200, ...cursor !== null && { cursor } })
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return items
}
