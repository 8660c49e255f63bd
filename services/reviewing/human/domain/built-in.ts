/**
 * Questionnaires that come with the service. Wordings are ours; what is asked, and on which scales,
 * is as published: AutoPaperBench's human evaluation (it states no scale; ours is 1 to 5), and the
 * expert check of rationales of K-MetBench.
 */
import type { Question, Questionnaire } from '../../../../shared/contracts/human-review.ts'
import { questionnaireOf } from './questionnaires.ts'

const scale = (id: string, text: string, ends: [worst: string, best: string]): Question => ({
  id, text, type: 'scale', required: true, min: 1, max: 5, level: 'ordinal', anchors: { 1: ends[0], 5: ends[1] }
})

const itemEvaluation = questionnaireOf({
  name: 'AutoPaperBench human evaluation: item',
  version: '1',
  scope: 'item',
  instruction: 'Judge question and answer by the paper alone, not by what you know beside it. Read the highlighted passage and, where a figure is asked about, the figure. Rate the item as it is shown, before you edit it.',
  questions: [
    scale('accuracy', 'Is the answer right by what the paper says and shows?', ['wrong or contradicted', 'right in every detail']),
    scale('relevance', 'Does the question ask for something that matters in this paper?', ['beside the point', 'central to the paper'])
  ]
})

const setEvaluation = questionnaireOf({
  name: 'AutoPaperBench human evaluation: set',
  version: '1',
  scope: 'set',
  instruction: 'Judge the whole set, after you have read all its items.',
  questions: [
    scale('consistency', 'Do similar questions get answers of similar form, depth and correctness?', ['at random', 'throughout']),
    scale('diversity', 'Do the questions differ in topic, form and difficulty?', ['all alike', 'widely'])
  ]
})

const rationaleVerification = questionnaireOf({
  name: 'K-MetBench rationale verification',
  version: '1',
  scope: 'item',
  instruction: 'Verify the explanation of the answer: first four ratings, then whether it is adopted as it is or needs revision, and of what kind.',
  questions: [
    scale('accuracy', 'Factual accuracy: are all its statements true?', ['a false statement overturns it', 'all true']),
    scale('soundness', 'Logical soundness: does each step follow?', ['the conclusion does not follow', 'no gap']),
    scale('completeness', 'Completeness: is everything there that the conclusion needs?', ['essential parts missing', 'nothing missing']),
    scale('conciseness', 'Conciseness: is it free of what it does not need?', ['mostly superfluous', 'not a word too many']),
    {
      id: 'adoption',
      text: 'Adopt or revise?',
      type: 'choice',
      required: true,
      options: [{ value: 'adopt', label: 'Adopt as it is' }, { value: 'revise', label: 'Revise' }]
    },
    {
      id: 'severity',
      text: 'How much is to be mended?',
      type: 'choice',
      required: true,
      options: [{ value: 'minor', label: 'Minor' }, { value: 'major', label: 'Major' }],
      when: { question: 'adoption', is: 'revise' }
    },
    {
      id: 'revision',
      text: 'What kind of revision?',
      type: 'choices',
      required: true,
      options: [
        { value: 'terminology', label: 'Terminology' },
        { value: 'variables-units', label: 'Variables or units' },
        { value: 'supplement', label: 'Something added' },
        { value: 'polish', label: 'Wording' },
        { value: 'rewrite', label: 'Written anew' }
      ],
      when: { question: 'adoption', is: 'revise' }
    },
    { id: 'note', text: 'What should it say?', type: 'text', required: false, when: { question: 'adoption', is: 'revise' } }
  ]
})

export const builtIn: readonly Questionnaire[] = [itemEvaluation, setEvaluation, rationaleVerification]
