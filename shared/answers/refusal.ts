/** Whether a reply declines to answer. Few, plain phrases: a false "refused" hides an answer. */
const refusals = [
  /\b(?:i|we)(?:'m| am| are)? (?:sorry,? (?:but )?(?:i|we) )?(?:can ?not|can't|won't|will not|am unable to|are unable to|am not able to|unable to|not able to) (?:answer|respond|assist|help|provide|comply|determine|choose|select|give)\b/i,
  /\b(?:i|we)(?:'m| am) sorry,? but (?:i|we) (?:can ?not|can't|am unable|am not able)\b/i,
  /\b(?:i|we) (?:must|have to) (?:decline|refuse)\b|\bi decline to\b|\bi refuse to\b/i,
  /\bas an ai(?: language)?(?: model)?,? i (?:can ?not|can't|am unable|am not able|do not|don't)\b/i,
  /(?:답변|대답|답|도움)(?:을|를)? ?(?:드릴|할|줄|제공할) 수(?:가|는)? 없/,
  /(?:도와드릴|답변드릴) 수(?:가|는)? 없/
]
/** Looked at where a reply begins; further in, the words may be the paper's. */
const beginning = 300

export function isRefusal (text: string): boolean {
  const start = text.slice(0, beginning)
  return refusals.some(pattern => pattern.test(start))
}
