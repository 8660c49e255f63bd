/** The rubrics that come with the service, in our words. */
import type { Rubric, shippedRubricNames } from '../../../../shared/contracts/rubric.ts'

const scale = { min: 1, max: 5, higherIsBetter: true }

/** K-MetBench's four, each 1 to 5, errors of fact listed before anything is scored; totals 4 to 20. */
const kmetbench: Rubric = {
  name: 'kmetbench',
  errorsFirst: 'every statement of the reply that is factually wrong, held against the reference where there is one',
  criteria: [{
    name: 'factualAccuracy',
    description: 'Are its facts right, held against the reference? 5: all of them; 3: a slip that does not touch the conclusion; 1: an invention that undermines it.',
    ...scale
  }, {
    name: 'logicalSoundness',
    description: 'Does the conclusion follow? 5: each step supports the next, without a leap; 3: a step is missing, but can be filled in; 1: the reasons do not support the conclusion.',
    ...scale
  }, {
    name: 'depth',
    description: 'Does it go to the bottom of it? 5: it names the cause, and says why the tempting wrong answer is wrong; 3: it names the cause only; 1: it repeats the question or the answer.',
    ...scale
  }, {
    name: 'clarity',
    description: 'Is it clear and concise? 5: who is no expert can follow it, and no word is too many; 3: it can be followed with effort; 1: it cannot be followed.',
    ...scale
  }]
}

/** AutoPaperBench's six, as its reviewer has them, put to a reply. */
const autopaperbench: Rubric = {
  name: 'autopaperbench',
  criteria: [
    ['logical', 'Do its statements follow from each other and from the material, without contradiction?'],
    ['relevance', 'Does it answer this question, all of it to the point, with nothing beside it?'],
    ['completeness', 'Does it hold everything that the question asks for and the reference has?'],
    ['accuracy', 'Are all its claims, numbers, units, names and directions right?'],
    ['stepByStep', 'Does it lead in order from what is given to a clear conclusion, without a gap?'],
    ['clarityEvidence', 'Is it exact, easy to understand and free of hedging, with grounds for what it claims?']
  ].map(([name = '', question = '']) => ({
    name,
    description: `${question} 5: nothing to object to; 4: a flaw that misleads nobody; 3: a flaw that must be mended; 2: a serious fault; 1: useless.`,
    ...scale
  }))
}

export const shippedRubrics: Record<typeof shippedRubricNames[number], Rubric> = { kmetbench, autopaperbench }
