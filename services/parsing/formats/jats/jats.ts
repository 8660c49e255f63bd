/**
 * JATS (ANSI/NISO Z39.96, with its NLM ancestors) and the older DTD of BMC, to an outline. Sub-articles
 * (reviews, answers, translations) are other texts and are left out, which a warning tells.
 */
import { Problem } from '../../../../shared/errors/problem.ts'
import { attributeOf, childOf, childrenOf, elementsOf, findAll, pathOf, type Element } from '../markup/element.ts'
import { readXml } from '../markup/xml.ts'
import { emptyOutline, type Outline } from '../outline.ts'
import type { Reader } from '../reader.ts'
import { bmcAsJats } from './bmc.ts'
import { readBody, readSection } from './body.ts'
import { readFloat } from './floats.ts'
import { readFront, readSummaries } from './front.ts'
import { inlineText } from './inline.ts'
import { readReferences } from './references.ts'
import { addText, openSection, type Walk } from './walk.ts'

export const readJats: Reader = bytes => {
  const { root, warnings } = readXml(bytes)
  const article = root.name === 'art' ? bmcAsJats(root) : articleIn(root, warnings)
  return { outline: outlineOf(article, warnings) }
}

function articleIn (root: Element, warnings: Outline['warnings']): Element {
  if (root.name === 'article') return root
  const [first, ...others] = [...findAll(root, ({ name }) => name === 'article')]
  if (first === undefined) throw new Problem('not-a-paper', 'The XML has no <article>; JATS has.')
  if (others.length > 0) warnings.push({ code: 'articles-left-out', detail: `The file has ${others.length + 1} articles; only the first was read. Upload the others each in its own file.` })
  return first
}

function outlineOf (article: Element, warnings: Outline['warnings']): Outline {
  const outline: Outline = { ...emptyOutline(), warnings }
  const language = attributeOf(article, 'lang').toLowerCase()
  if (/^[a-z]{2,3}$/u.test(language)) outline.language = language
  const walk: Walk = { outline, section: null }
  readFront(article, walk)
  readSummaries(article, walk)
  walk.section = null
  const body = childOf(article, 'body')
  if (body !== undefined) readBody(body, walk)
  readBack(article, walk)
  for (const float of childrenOf(article, 'floats-group', 'floats-wrap').flatMap(elementsOf)) readFloat(float, null, outline)
  const others = childrenOf(article, 'sub-article', 'response')
  if (others.length > 0) outline.warnings.push({ code: 'sub-articles-left-out', detail: `${others.length} texts that belong to the paper (${[...new Set(others.map(other => attributeOf(other, 'article-type') || other.name))].join(', ').slice(0, 200)}) are not part of the document.` })
  return outline
}

/** Titles that print gives to parts of the back matter which have none in the file. */
const backTitles: Record<string, string> = { ack: 'Acknowledgements', glossary: 'Abbreviations', app: 'Appendix' }

function readBack (article: Element, walk: Walk): void {
  const back = childOf(article, 'back')
  for (const part of back === undefined ? [] : elementsOf(back)) readBackPart(part, walk)
  for (const notes of [...childrenOf(childOf(article, 'front'), 'notes'), ...childrenOf(pathOf(article, 'front', 'article-meta'), 'notes')]) readBackPart(notes, walk)
}

function readBackPart (part: Element, walk: Walk): void {
  switch (part.name) {
    case 'ref-list': readReferences(part, walk, 1); break
    case 'app-group': for (const app of elementsOf(part)) readBackPart(app, walk); break
    case 'fn-group': readBody({ ...part, children: [part] }, walk); break
    case 'title': case 'label': break
    default:
      if (childOf(part, 'title') === undefined && backTitles[part.name] !== undefined) {
        openSection(walk, { number: inlineText(childOf(part, 'label') ?? ''), title: backTitles[part.name]!, level: 1, ...(part.name === 'ack' && { kind: 'acknowledgements' }), ...(part.name === 'app' && { kind: 'appendix' }) })
        readBody({ ...part, children: part.children.filter(child => typeof child === 'string' || child.name !== 'label') }, walk)
      } else if (part.name === 'p') addText(walk, inlineText(part))
      else readSection(part, walk, 1)
  }
}
