/**
 * Whether an answer says that the paper has none, or that the question rests on something false. Few,
 * plain phrases at its beginning: further on, the words may be about something else in the paper.
 */

/** In code points; a model that abstains says so first. */
const beginning = 240

const text = '(?:paper|text|article|study|work|abstract|document|authors?|passage|excerpt|material|section|figure|caption|context)'
const says = '(?:say|state|mention|report|specify|give|provide|contain|include|describe|discuss|disclose|indicate|address|answer|show)'

const notSaid = [
  new RegExp(`\\b${text}s?\\b[^.!?\\n]{0,60}\\b(?:does|do|did) ?(?:not|n['’]t) (?:explicitly |directly |actually |clearly )?${says}\\b`, 'iu'),
  new RegExp(`\\b(?:is|are|was|were) (?:not|never|nowhere) (?:explicitly |directly |actually |clearly )?(?:said|stated|mentioned|reported|specified|given|provided|described|discussed|disclosed|indicated|addressed|answered|shown)\\b[^.!?\\n]{0,60}\\b${text}s?\\b`, 'iu'),
  new RegExp(`\\b(?:cannot|can ?not|can['’]t) be (?:answered|determined|known|inferred|told)\\b[^.!?\\n]{0,60}\\b${text}s?\\b`, 'iu'),
  new RegExp(`\\bno (?:information|mention|data|details?)\\b[^.!?\\n]{0,80}\\b${text}s?\\b`, 'iu'),
  new RegExp(`\\b${text}s?\\b[^.!?\\n]{0,40}\\b(?:has|have|gives?|provides?|contains?|includes?|offers?) no (?:information|mention|data|details?|answer)\\b`, 'iu'),
  /(?:논문|본문|글|자료|텍스트)[^.!?\n]{0,60}(?:밝히지|말하지|언급하지|나와 ?있지|제시하지|설명하지|제공하지|언급되지|언급되어 있지|포함하지|포함되어 있지) ?(?:는 ?)?않/u,
  /\bdie (?:arbeit|studie) (?:sagt|nennt|gibt|erwähnt)\b[^.!?\n]{0,40}\bnicht\b|\bl['’]article ne\b[^.!?\n]{0,40}\bpas\b|\b(?:el artículo|o artigo) (?:no|não) (?:lo |o )?(?:dice|diz|menciona|indica)\b|\bl['’]articolo non lo dice\b/iu,
  /论文(?:中)?(?:没有|未)(?:说明|提到|提及|给出)|論文(?:は|では)[^。\n]{0,30}(?:述べて|記載して|言及して)いない|в статье (?:этого |об этом )?не (?:сказано|указано|говорится)/iu
]

const wrongPremise = [
  /\b(?:premise|assumption|presupposition)\b[^.!?\n]{0,60}\b(?:is|are|was|seems) (?:wrong|false|incorrect|mistaken|not (?:true|correct|right|supported|accurate)|inaccurate|flawed)\b/iu,
  /\b(?:wrong|false|incorrect|mistaken|flawed) (?:premise|assumption|presupposition)\b/iu,
  /\bcontrary to (?:the|what the) (?:question|premise)\b/iu,
  /\bquestion (?:wrongly|incorrectly|falsely|mistakenly) (?:assumes|states|presupposes|claims|implies)\b/iu,
  /전제(?:가|는)[^.!?\n]{0,30}(?:틀|잘못|거짓|사실이 아니|맞지 않|옳지 않)/u,
  /\bvoraussetzung der frage ist falsch\b|\bprémisse de la question est fausse\b|\bpremisa de la pregunta es falsa\b|\bpremissa da pergunta é falsa\b|\bpremessa della domanda è falsa\b/iu,
  /前提(?:是|は)(?:错误|誤|間違)|посылка вопроса неверна/iu
]

/** Raised with every change of the phrases. */
export const abstentionVersion = 'phrases:1'

export function saysNotSaid (answer: string): boolean {
  const start = startOf(answer)
  return notSaid.some(pattern => pattern.test(start))
}

export function rejectsPremise (answer: string): boolean {
  const start = startOf(answer)
  return wrongPremise.some(pattern => pattern.test(start))
}

function startOf (answer: string): string {
  return [...answer.slice(0, 2 * beginning)].slice(0, beginning).join('')
}
