import { splitSentences } from '../../../../shared/text/sentences.ts'
import { isDescriptive, joinSentences, type BaselineReply, type Sight } from './baseline.ts'
import { textOfPlace } from './place-text.ts'

const sentencesMax = 3

/** The first three sentences of the place asked about: a strong summary where authors write well. */
export function lead ({ question, document }: Sight): BaselineReply {
  if (!isDescriptive(question)) return { skipped: 'baseline/lead answers open questions only.' }
  if (document === null) return { skipped: 'baseline/lead needs the text of the paper.' }
  const sentences = splitSentences(textOfPlace(question.place, document)).map(({ text }) => text)
  if (sentences.length === 0) return { skipped: 'The place asked about has no text.' }
  return { reply: joinSentences(sentences.slice(0, sentencesMax)) }
}
