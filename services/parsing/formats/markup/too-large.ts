import { Problem } from '../../../../shared/errors/problem.ts'
import { depthMax, elementsMax, textMax } from './element.ts'

export function tooLarge (what: 'XML' | 'HTML'): Problem {
  return new Problem('paper-too-complex', `The ${what} is nested deeper than ${depthMax} elements, or has more than ${elementsMax} of them or more than ${textMax} characters of text; no paper needs that. Split it and upload the parts.`)
}
