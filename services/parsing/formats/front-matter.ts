/** YAML before a Markdown paper, as Pandoc and static sites have it. */
import { parse } from 'yaml'

export interface FrontMatter {
  title: string
  authors: Array<{ name: string, affiliations?: string[] }>
  abstract: string
}

const listMax = 1_000

/** What is not there, or of another shape, is empty: front matter says what its author likes. */
export function readFrontMatter (source: string): FrontMatter {
  const data = parsed(source)
  const authors = listOf(data.author ?? data.authors).flatMap(authorOf)
  return { title: textOf(data.title), authors, abstract: textOf(data.abstract) }
}

function parsed (source: string): Record<string, unknown> {
  try {
    // Aliases are how a few lines become gigabytes.
    return recordOf(parse(source.slice(0, 100_000), { maxAliasCount: 10, logLevel: 'silent' }))
  } catch {
    return {}
  }
}

function recordOf (value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : {}
}

function listOf (value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? value : [value]).slice(0, listMax)
}

function textOf (value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

function authorOf (value: unknown): FrontMatter['authors'] {
  if (typeof value === 'string') {
    return value.split(/\s*(?:,|;|\band\b|&)\s*/u).filter(name => name !== '').map(name => ({ name }))
  }
  const { name, affiliation, affiliations, institute } = recordOf(value)
  if (textOf(name) === '') return []
  const places = listOf(affiliation ?? affiliations ?? institute).map(place =>
    textOf(place) || textOf(recordOf(place).name))
    .filter(place => place !== '')
  return [{ name: textOf(name), ...(places.length > 0 && { affiliations: places }) }]
}
