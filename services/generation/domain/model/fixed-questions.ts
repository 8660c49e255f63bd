/** AutoPaperBench's three questions on the abstract and its command for sections, by language. */
import type { Aspect } from '../abstract-parts.ts'
import { abstractQuestions, sectionCommand } from '../wording.ts'

type Fixed = Record<Aspect | 'section', string>

const fixed: Record<string, Fixed> = {
  en: { ...abstractQuestions.en, section: sectionCommand.en },
  ko: { ...abstractQuestions.ko, section: sectionCommand.ko },
  de: {
    problem: 'Welches ist das wichtigste Forschungsproblem oder Ziel, das in dieser Arbeit behandelt wird?',
    solution: 'Welche zentralen Methoden und Ansätze werden in dieser Forschung verwendet?',
    results: 'Welche sind die wichtigsten Ergebnisse und Beiträge dieser Arbeit?',
    section: 'Fassen Sie den Inhalt dieses Abschnitts zusammen'
  },
  fr: {
    problem: 'Quel est le principal problème de recherche ou objectif traité dans cet article ?',
    solution: 'Quelles sont les principales méthodes et approches utilisées dans cette recherche ?',
    results: 'Quels sont les principaux résultats et apports de cet article ?',
    section: 'Résumez le contenu de cette section'
  },
  es: {
    problem: '¿Cuál es el principal problema de investigación u objetivo que se aborda en este artículo?',
    solution: '¿Cuáles son los principales métodos y enfoques utilizados en esta investigación?',
    results: '¿Cuáles son los principales resultados y contribuciones de este artículo?',
    section: 'Resuma el contenido de esta sección'
  },
  pt: {
    problem: 'Qual é o principal problema de pesquisa ou objetivo tratado neste artigo?',
    solution: 'Quais são os principais métodos e abordagens utilizados nesta pesquisa?',
    results: 'Quais são os principais resultados e contribuições deste artigo?',
    section: 'Resuma o conteúdo desta seção'
  },
  it: {
    problem: 'Qual è il principale problema di ricerca o obiettivo affrontato in questo articolo?',
    solution: 'Quali sono i principali metodi e approcci utilizzati in questa ricerca?',
    results: 'Quali sono i principali risultati e contributi di questo articolo?',
    section: 'Riassumi il contenuto di questa sezione'
  },
  zh: {
    problem: '本文要解决的主要研究问题或目标是什么？',
    solution: '这项研究使用了哪些关键方法和途径？',
    results: '本文的主要发现和贡献是什么？',
    section: '请概括本节的内容'
  },
  ja: {
    problem: 'この論文が扱う主な研究課題または目的は何ですか？',
    solution: 'この研究で用いられた主要な方法とアプローチは何ですか？',
    results: 'この論文の主な知見と貢献は何ですか？',
    section: 'この節の内容を要約してください'
  },
  ru: {
    problem: 'Какова основная исследовательская проблема или цель этой статьи?',
    solution: 'Какие основные методы и подходы использованы в этом исследовании?',
    results: 'Каковы основные результаты и вклад этой статьи?',
    section: 'Кратко изложите содержание этого раздела'
  }
}

export const languagesOfFixedQuestions: readonly string[] = Object.keys(fixed)

/** Undefined where the question is not known in that language: a question in another would mix two. */
export function fixedQuestion (about: Aspect | 'section', language: string): string | undefined {
  return fixed[language]?.[about]
}

/** As prompts name it: "Korean"; the code itself where nobody has a name for it. */
export function languageName (code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code
}
