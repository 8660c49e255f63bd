/** What a walk with a real model came to, as tables for people. */
import type { Judged, Made, Yields } from './walk.ts'

export function yieldsText (yields: Yields): string {
  const { model, settings, papers, figures, made, judged, frozen, ran, used, minutes } = yields
  const { contextTokens, maxTokens, tokensMax, samplesMax, maxRounds } = settings
  return `## ${model}

Context ${contextTokens} tokens, replies at most ${maxTokens}, ${tokensMax} tokens a kind, ${samplesMax} samples a place, ${maxRounds} rounds of rewriting.
${papers.map(paper => `- ${paper.title}: ${paper.pages} pages, ${paper.sections} sections, ${paper.figures} figures, ${paper.tables} tables`).join('\n')}
Figures were ${figures === 'shown' ? 'shown.' : 'withheld: questions about them rest on caption and text.'}

| asked for | state | wanted | calls | drafts | items | turned down, by reason |
|---|---|---|---|---|---|---|
${made.map(madeRow).join('\n')}

| reviewed | state | good | fair | poor | error | unreviewed | fails a check | rewritings |
|---|---|---|---|---|---|---|---|---|
${judged.map(judgedRow).join('\n') || 'nothing'}
${whyUnreviewed(judged)}
Frozen, whatever the verdict: ${'problem' in frozen ? frozen.problem : `${frozen.items} items (${counted(frozen.kinds)})`}
Asked with their evidence: ${ran === null ? 'nothing' : `${ran.state}; outcomes ${counted(ran.outcomes)}; scores ${counted(ran.scores)}`}

| purpose | calls | failed | prompt tokens | completion tokens |
|---|---|---|---|---|
${used.map(({ purpose, requests, failed, promptTokens, completionTokens }) => `| ${purpose || '—'} | ${requests} | ${failed} | ${promptTokens ?? '—'} | ${completionTokens ?? '—'} |`).join('\n')}

Minutes: ${Object.entries(minutes).map(([step, value]) => `${step} ${value}`).join(', ')}.
${[...made, ...judged, ...ran === null ? [] : [ran]].flatMap(({ problems }) => problems).map(problem => `Problem: ${problem}`).join('\n')}`
}

function madeRow ({ of, state, outcome, drafts, items, rejections }: Made): string {
  return `| ${of} | ${state} | ${outcome?.wanted ?? '—'} | ${outcome?.calls ?? 0} | ${drafts} | ${items} | ${counted(rejections)} |`
}

function judgedRow ({ of, state, verdicts, ineligible, rewrites }: Judged): string {
  const { good, fair, poor, error, unreviewed } = verdicts
  return `| ${of} | ${state} | ${good} | ${fair} | ${poor} | ${error} | ${unreviewed} | ${ineligible} | ${counted(rewrites)} |`
}

function whyUnreviewed (judged: readonly Judged[]): string {
  return judged.flatMap(({ of, unreviewed }) => Object.entries(unreviewed)
    .map(([why, count]) => `- unreviewed, ${of}, ${count}: ${why}\n`)).join('')
}

function counted (counts: Record<string, number>): string {
  return Object.entries(counts).map(([name, count]) => `${name} ${count}`).join(', ') || '—'
}
