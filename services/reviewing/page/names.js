/** Reviewings as a person knows them: by the papers they are of, and how the items came about. Pure. */
const titleMax = 70

/**
 * @param reviewings   as the API lists them
 * @param generations  those that are known; a reviewing of another is named by the id of that
 * @param papers       likewise; so are imports and curations of item banks
 * @returns {string[]} in the order of the reviewings; no two are the same
 */
export function namesOf (reviewings, { generations, papers, imports = [], curations = [] }) {
  const made = new Map(generations.map(generation => [generation.id, generation]))
  const titles = new Map(papers.map(({ id, title, fileName }) => [id, title ?? fileName]))
  const names = reviewings.map(reviewing => {
    const what = sourceIn(reviewing.source, { made, titles, imports, curations })
    return `${what} · ${reviewerIn(reviewing)} · ${standIn(reviewing)}`
  })
  // The same papers made and reviewed in the same way under another seed, say.
  return names.map((name, at) => names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} · ${short(reviewings[at].id)}`)
}

function sourceIn ({ generationId, importId, curationId }, { made, titles, imports, curations }) {
  if (importId !== undefined) return imports.find(({ id }) => id === importId)?.name ?? `Item bank ${short(importId)}`
  if (curationId !== undefined) {
    const { source = {}, steps = [] } = curations.find(({ id }) => id === curationId) ?? {}
    const name = imports.find(({ id }) => id === source.importId)?.name ?? `Curation ${short(curationId)}`
    return [name, steps.map(({ step }) => step).join(', ')].filter(Boolean).join(' · ')
  }
  const generation = made.get(generationId)
  return generation === undefined
    ? `Generation ${short(generationId)}`
    : `${papersIn(generation, titles)} · ${recipeIn(generation)}`
}

function papersIn ({ paperIds }, titles) {
  const more = paperIds.length - 1
  const known = paperIds.map(id => titles.get(id)).find(title => title !== undefined)
  if (known === undefined) return `${paperIds.length} ${paperIds.length === 1 ? 'paper' : 'papers'}`
  const points = [...known]
  const title = points.length > titleMax ? `${points.slice(0, titleMax - 1).join('')}…` : known
  return more === 0 ? title : `${title} and ${more} more`
}

function recipeIn ({ recipe: { kinds = [], strategy, model } }) {
  return `${kinds.join(', ')} by ${model ?? strategy}`
}

function reviewerIn ({ recipe: { strategy, model } }) {
  return strategy === 'mechanical' ? 'checked' : `reviewed by ${model}`
}

function standIn ({ state, verdictCounts, progress: { done, total } }) {
  if (state === 'running' || state === 'queued') return `${state}, ${done} of ${total} tasks`
  const items = Object.values(verdictCounts).reduce((sum, count) => sum + count, 0)
  return `${items} items${state === 'succeeded' ? '' : `, ${state}`}`
}

/** Enough of an id to tell it from another. */
function short (id) {
  return id.slice(4, 12)
}
