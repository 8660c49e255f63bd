/** How questions are written down here, before they become rows of a bank. */
import type { FormulaName } from './formulas.ts'

export interface Frame { image: string, time: string }

export interface Question {
  topic: string
  /** The explicit wording where there are two. */
  text: string
  /** Words, or the name of an image. */
  choices: ReadonlyArray<string | { image: string }>
  /** From 1. */
  answer: 1 | 2 | 3 | 4
  image?: string
  /** A sequence, in its order. */
  frames?: readonly Frame[]
  /** What leaves to its setting what the explicit wording names. */
  implicit?: { text: string, choices?: readonly string[] }
  rationale?: string
  calculation?: Calculation
}

/** What an answer is computed from, so that a test can do it again. */
export interface Calculation {
  formula: FormulaName
  given: Readonly<Record<string, number>>
  /** The four choices, in the formula's unit. */
  values: readonly number[]
  /** Givens that a chart shows and the text does not. */
  inChart: readonly string[]
}

export interface Written extends Omit<Question, 'choices' | 'text' | 'calculation' | 'implicit'> {
  text: (given: Readonly<Record<string, number>>) => string
  formula: FormulaName
  given: Readonly<Record<string, number>>
  /** As they are shown, in units of `scale` of the formula's unit. */
  shown: readonly number[]
  scale?: number
  unit: string
  inChart?: readonly string[]
}

/** A question whose choices are numbers. */
export function calculated (written: Written): Question {
  const { text, formula, given, shown, scale = 1, unit, inChart = [], ...rest } = written
  return {
    ...rest,
    text: text(given),
    choices: shown.map(value => `${value.toLocaleString('en-US', { maximumFractionDigits: 6 })}${unit}`),
    calculation: { formula, given, values: shown.map(value => value * scale), inChart }
  }
}

export function frames (name: string, times: readonly string[]): Frame[] {
  return times.map((time, at) => ({ image: `${name}-${at + 1}.png`, time }))
}
