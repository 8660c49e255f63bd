/** The region packs that are shipped, by name. */
import { readdir, readFile } from 'node:fs/promises'
import { canonicalJson, sha256 } from '../../../shared/contracts/hash.ts'
import { faultsOf } from '../../../shared/contracts/validate.ts'
import { RegionPack } from './domain/region-pack.ts'

export interface Pack { pack: RegionPack, hash: string }

/** @throws Error for a file that is no region pack; packs ship with the code */
export async function loadRegionPacks (): Promise<Map<string, Pack>> {
  const folder = new URL('region-packs/', import.meta.url)
  const files = (await readdir(folder)).filter(file => file.endsWith('.json')).sort()
  const packs = await Promise.all(files.map(async (file): Promise<[string, Pack]> => {
    const pack = JSON.parse(await readFile(new URL(file, folder), 'utf8')) as RegionPack
    const [fault] = faultsOf(RegionPack, pack)
    if (fault !== undefined || file !== `${pack.name}.json`) throw new Error(`${file} is no region pack: ${fault === undefined ? 'its name is another' : `${fault.path} ${fault.message}`}`)
    return [pack.name, { pack, hash: sha256(canonicalJson(pack)) }]
  }))
  return new Map(packs)
}
