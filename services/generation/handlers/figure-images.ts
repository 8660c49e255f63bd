/** Figures as models are shown them: PNG data URLs of a size they take. */
import { recently } from '../../../shared/clients/recently.ts'
import type { ParsingClient } from '../../../shared/clients/parsing.ts'
import type { Shrinker } from '../../../shared/images/shrinker.ts'

export interface PaperVersion { paperId: string, documentHash: string }

export interface Images {
  /** @param sideMax  longest side, in pixels */
  of: (paper: PaperVersion, figureIds: readonly string[], sideMax: number) => Promise<string[]>
}

/** A figure is asked about by several writers, one after the other; each is at most a few megabytes. */
const imagesKept = 24

export function figureImages (parsing: Pick<ParsingClient, 'getFigureImage'>, shrinker: Shrinker): Images {
  const read = recently(imagesKept, async key => {
    const [paperId = '', documentHash = '', figureId = '', sideMax] = key.split(' ')
    const png = Buffer.from(await parsing.getFigureImage(paperId, figureId, documentHash))
    const shrunk = await shrinker.shrink(png, Number(sideMax))
    return `data:image/png;base64,${shrunk.toString('base64')}`
  })
  return {
    of: async ({ paperId, documentHash }, figureIds, sideMax) => await Promise.all(figureIds
      .map(async figureId => await read(`${paperId} ${documentHash} ${figureId} ${sideMax}`)))
  }
}
