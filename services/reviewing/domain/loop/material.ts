/** What a reviewer or writer is given of the paper for one item, within its context. */
import type { Document } from '../../../../shared/contracts/document.ts'
import type { Item } from '../../../../shared/contracts/item.ts'
import { contentOf, type Content } from '../../../../shared/text/content.ts'
import { estimateTokens, promptTokensMax, usualBytesPerToken } from '../../../../shared/text/content-budget.ts'

type Table = Document['tables'][number]

/** Values of the prompts' common variables, and what did not reach the model. */
export interface Material {
  values: { abstract: string, content: string, figures: string, evidence: string }
  /** Figures whose images go with the prompt, in the order in which `values.figures` numbers them. */
  shownFigureIds: string[]
  leftOut: string[]
  /** Tokens that the text of the prompt may have, as the model counts. */
  countedMax: number
}

export interface Room {
  /** Prompt and reply together. */
  contextTokens: number
  /** Of the reply. */
  maxTokens: number
  /** Everything of the prompt but the content, the images not counted. */
  otherText: string
  vision: boolean
  /** What the prompt is filled by: `usualBytesPerToken` until somebody counts. */
  bytesPerToken?: number | undefined
}

/** What an image of 1,536 pixels takes in the vision models we know, generously. */
export const imageTokens = 1500
/** The chat template around the prompt. */
const wordingTokens = 32
/** Less than a paragraph helps nobody. */
const contentTokensMin = 64

export function materialFor (item: Item, document: Document, room: Room): Material {
  const { lines, shownFigureIds, withheld } = figuresOf(item, document, room.vision)
  const abstract = document.abstract?.text ?? 'The paper has no abstract.'
  const figures = lines.join('\n') || 'The item asks about no figure.'
  const evidence = item.evidence.map(({ quote }) => `- ${quote.replace(/\s+/gu, ' ')}`).join('\n') || 'The item names no evidence.'
  const used = estimateTokens([abstract, figures, evidence].join('\n'))
  const countedMax = promptTokensMax(room.contextTokens, room.maxTokens) - wordingTokens -
    shownFigureIds.length * imageTokens
  const { bytesPerToken = usualBytesPerToken } = room
  const free = countedMax - estimateTokens(room.otherText)
  const content = contentFor(item, document, Math.floor(free * bytesPerToken / usualBytesPerToken) - used)
  return {
    values: { abstract, content: content.text, figures, evidence },
    shownFigureIds,
    leftOut: [...content.leftOut, ...withheld],
    countedMax
  }
}

function figuresOf (item: Item, document: Document, vision: boolean) {
  const shownFigureIds: string[] = []
  const withheld: string[] = []
  const lines = item.figureIds.map(figureId => {
    const figure = document.figures.find(({ id }) => id === figureId)
    if (figure === undefined) return `${figureId}: the paper has no such figure.`
    const reason = figure.imageId === null
      ? 'the source of the paper has no picture of it'
      : vision ? null : 'the model takes no images'
    if (reason === null) shownFigureIds.push(figureId)
    else withheld.push(`the image of figure ${figureId}: ${reason}`)
    const image = reason === null ? `image ${shownFigureIds.length} is attached` : `its image is withheld: ${reason}`
    return `${figure.label}: ${figure.caption} (${image})`
  })
  return { lines, shownFigureIds, withheld }
}

type Part = Pick<Content, 'text' | 'leftOut' | 'tokens'>

/** What is printed below a table says what its cells mean; who writes items has it too. */
function withNotes (part: Part, table: Table | undefined, maxTokens: number): Part {
  if (table?.notes === undefined || table.notes === '') return part
  const text = `${part.text}\n${table.notes}`
  const tokens = estimateTokens(text)
  return tokens > maxTokens
    ? { ...part, leftOut: [...part.leftOut, `the notes of ${table.id}`] }
    : { ...part, text, tokens }
}

function contentFor (item: Item, document: Document, maxTokens: number): Pick<Content, 'text' | 'leftOut'> {
  if (item.place === 'abstract') return { text: 'The item asks about the abstract above.', leftOut: [] }
  const { place } = item
  const table = document.tables.find(({ id }) => id === place)
  const own = [...document.tables, ...document.equations].some(({ id }) => id === place) ? [place] : []
  const sectionId = own.length === 0 ? place : table?.sectionId ?? undefined
  const isFigure = document.figures.some(({ id }) => id === place)
  const isSection = document.sections.some(({ id }) => id === sectionId)
  if (!isFigure && !isSection && own.length === 0) return { text: 'The paper has no such place.', leftOut: [`${place}: the paper has no such place`] }
  if (maxTokens < contentTokensMin) return { text: 'The context has no room for it.', leftOut: ['the whole text of the place'] }

  const first = own.length === 0
    ? { text: '', leftOut: [], tokens: 0 }
    : withNotes(contentOf(document, { mode: 'oracle', paragraphIds: own, maxTokens }), table, maxTokens)
  const rest = maxTokens - first.tokens
  if ((!isFigure && !isSection) || rest < contentTokensMin) return first
  const around = contentOf(document, {
    mode: 'sections', maxTokens: rest, ...isFigure ? { figureId: place } : { sectionId }
  })
  return { text: [first.text, around.text].filter(text => text !== '').join('\n\n'), leftOut: [...first.leftOut, ...around.leftOut] }
}
