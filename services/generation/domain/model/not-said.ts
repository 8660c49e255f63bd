/** How an answer says that there is none, in the languages of the fixed questions. */

interface Wording {
  /** The option, and the beginning of a reference answer. */
  notSaid: string
  wrongPremise: string
}

const wordings: Record<string, Wording> = {
  en: { notSaid: 'The paper does not say.', wrongPremise: 'The premise of the question is wrong.' },
  ko: { notSaid: '논문은 이를 밝히지 않는다.', wrongPremise: '질문의 전제가 틀렸다.' },
  de: { notSaid: 'Die Arbeit sagt es nicht.', wrongPremise: 'Die Voraussetzung der Frage ist falsch.' },
  fr: { notSaid: 'L’article ne le dit pas.', wrongPremise: 'La prémisse de la question est fausse.' },
  es: { notSaid: 'El artículo no lo dice.', wrongPremise: 'La premisa de la pregunta es falsa.' },
  pt: { notSaid: 'O artigo não o diz.', wrongPremise: 'A premissa da pergunta é falsa.' },
  it: { notSaid: 'L’articolo non lo dice.', wrongPremise: 'La premessa della domanda è falsa.' },
  zh: { notSaid: '论文没有说明。', wrongPremise: '该问题的前提是错误的。' },
  ja: { notSaid: '論文はこれを述べていない。', wrongPremise: 'この質問の前提は誤っている。' },
  ru: { notSaid: 'В статье этого не сказано.', wrongPremise: 'Посылка вопроса неверна.' }
}

/** Undefined where it is not known in that language: an answer in another would mix two. */
export function notSaidIn (language: string): Wording | undefined {
  return wordings[language]
}
