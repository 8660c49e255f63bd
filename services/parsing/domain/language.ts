/** The language of a text, from its script and its commonest small words. */

const small: Record<string, RegExp> = {
  en: /\b(?:the|of|and|in|to|is|that|with|for|was|were|are)\b/gi,
  de: /\b(?:der|die|und|das|ist|mit|von|den|nicht|eine|wurde)\b/gi,
  fr: /\b(?:le|la|les|des|et|est|une|dans|pour|que|sur|aux)\b/gi,
  es: /\b(?:el|los|las|que|del|una|por|con|para|como|fue)\b/gi,
  pt: /\b(?:os|uma|com|para|foi|n\u00E3o|dos|das|pela|pelo|que)\b/gi,
  it: /\b(?:il|di|che|della|per|una|nel|sono|con|gli|delle)\b/gi
}

/** @returns BCP 47 code, "und" for too little text */
export function guessLanguage (text: string): string {
  const sample = text.slice(0, 40_000)
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  if (letters < 40) return 'und'
  const share = (script: RegExp) => (sample.match(script)?.length ?? 0) / letters
  if (share(/[\uAC00-\uD7AF]/g) > 0.2) return 'ko'
  if (share(/[\u3040-\u30FF]/g) > 0.1) return 'ja'
  if (share(/[\u4E00-\u9FFF]/g) > 0.2) return 'zh'
  if (share(/[\u0400-\u052F]/g) > 0.3) return 'ru'
  let best = { code: 'und', count: letters / 200 }
  for (const [code, words] of Object.entries(small)) {
    const count = sample.match(words)?.length ?? 0
    if (count > best.count) best = { code, count }
  }
  return best.code
}
