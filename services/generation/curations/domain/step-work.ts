/** The steps that need no model: what each says of the items, all at once. */
import type { Item } from '../../../../shared/contracts/item.ts'
import { inOneGo } from '../../../../shared/text/in-one-go.ts'
import { deduplicated } from './deduplicate/deduplicate.ts'
import { subjectOf } from './deduplicate/sameness.ts'
import { transcribed } from './formulas.ts'
import { explicitText, type RegionPack } from './region-pack.ts'
import { searchByWords, united, type Search } from './regional.ts'
import { shuffledChoices } from './shuffle-choices.ts'
import type { Entry, ResolvedStep, StepOf, StepOutcome, StepResult } from './steps.ts'
import { tagsOf } from './tag.ts'

export interface Work {
  step: ResolvedStep
  seed: number
  entries: readonly Entry[]
  /** Root ids of the items that the step leaves as they are. */
  except: ReadonlySet<string>
  /** Of steps that name one. */
  pack?: RegionPack | undefined
  /** What models found, of `find-regional`. */
  searches?: readonly Search[]
}

export function stepWork (work: Work): StepResult {
  const { step, except, entries } = work
  if (step.step === 'deduplicate') return deduplicateWork(work, step)
  const asked = entries.filter(({ rootId }) => !except.has(rootId))
  if (step.step === 'find-regional') {
    const { pack, seed, searches = [] } = work
    const all = [searchByWords(asked, pack!), ...searches]
    return united({ entries: asked, pack: pack!, seed, searches: all, sampleRejected: step.sampleRejected })
  }
  const change = changeOf(work)
  const outcomes = asked.flatMap(({ rootId, item }): StepOutcome[] => {
    const found = change(item)
    return found === null ? [] : [{ rootId, action: 'changed', ...found }]
  })
  return { outcomes, findings: [] }
}

type Found = Pick<StepOutcome, 'reason' | 'detail' | 'changes'> | null

function changeOf ({ step, seed, pack }: Work): (item: Item) => Found {
  switch (step.step) {
    case 'shuffle-choices': return item => {
      const changes = shuffledChoices(item, seed)
      return changes === null ? null : { reason: 'choices-shuffled', detail: 'The choices stand in another order.', changes }
    }
    case 'transcribe-formulas': return transcribedItem
    case 'tag': return item => {
      const tags = tagsOf(item, step)
      const fresh = Object.entries(tags).filter(([name, value]) => item.slices[name] !== value)
      if (fresh.length === 0) return null
      return { reason: 'tagged', detail: fresh.map(([name, value]) => `${name}: ${value}`).join(', '), changes: { slices: { ...item.slices, ...tags } } }
    }
    case 'rewrite-explicit': return item => explicitItem(item, pack!)
    default: throw new TypeError(`The step ${step.step} asks a model`)
  }
}

function transcribedItem (item: Item): Found {
  const question = transcribed(item.question)
  const texts = item.choices?.map(({ text }) => transcribed(text)) ?? []
  if (question === null && texts.every(text => text === null)) return null
  return {
    reason: 'formulas-transcribed',
    detail: 'Formulas stand as LaTeX between dollar signs.',
    changes: {
      ...question !== null && { question },
      ...item.choices !== undefined &&
        { choices: item.choices.map((choice, at) => ({ ...choice, text: texts[at] ?? choice.text })) }
    }
  }
}

/** The wording of the source stays; the explicit one stands beside it. */
function explicitItem (item: Item, pack: RegionPack): Found {
  if (item.explicitWording !== undefined) return null
  const question = explicitText(item.question, pack)
  const choices = item.choices?.map(({ text }) => explicitText(text, pack) ?? text)
  const choicesDiffer = choices?.some((text, at) => text !== item.choices![at]!.text) === true && choices.every(text => text !== '')
  if (question === null && !choicesDiffer) return null
  return {
    reason: 'made-explicit',
    detail: `Names of ${pack.title} stand in place of what only its setting makes plain.`,
    changes: {
      explicitWording: { question: question ?? item.question, ...choicesDiffer && { choices: choices! } }
    }
  }
}

function deduplicateWork ({ entries, except }: Work, step: StepOf<'deduplicate'>): StepResult {
  const roots = new Map(entries.map(({ rootId, item }) => [item.id, rootId]))
  const kept = new Set(entries.filter(({ rootId }) => except.has(rootId)).map(({ item }) => item.id))
  const { findings, pairs } = inOneGo(deduplicated(entries.map(({ item }) => subjectOf(item)), step, kept))
  return {
    outcomes: findings.map(({ id, ...finding }) => ({ rootId: roots.get(id)!, ...finding })),
    findings: [{ name: 'pairs', value: pairs }]
  }
}
