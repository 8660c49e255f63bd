/** Reviewings as a person knows them: by the papers they are of, and how the items came about. Pure. */
const titleMax = 70

/**
 * @param reviewings   as the API lists them
 * @param generations  those that are known; a reviewing of another is named by the id of that
 * @param papers       likewise
 * @returns {string[]} in the order of the reviewings; no two are the same
 */
export function namesOf (reviewings, { generations, papers }) {
  const made = new Map(generations.map(generation => [generation.id, generation]))
  const titles = new Map(papers.map(({ id, title, fileName }) => [id, title ?? fileName]))
  const names = reviewings.map(reviewing => {
    const generation = made.get(reviewing.source.generationId)
    const what = generation === undefined
      ? `Generation ${short(reviewing.source.generationId)}`
      : `${papersIn(generation, titles)} · ${recipeIn(generation)}`
    return `${what} · ${reviewerIn(reviewing)} · ${standIn(reviewing)}`
  })
  // The same papers made and reviewed in the same way under another seed, say.
  return names.map((name, at) => names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} · ${short(reviewings[at].id)}`)
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
