/** Paragraphs that the publisher adds to a paper: licences, dates, addresses, how to cite. Notes, no body. */

const licence = /^(?:open access\b[\s.:]*)?(?:this (?:is an open[- ]access (?:article|paper)|(?:article|work|paper) (?:is|was|has been) (?:an open|open[- ]access|(?:made )?available under|(?:published|distributed|licen[cs]ed|released)\b)))/i
const rights = /^(?:\u00A9|\(c\)\s*(?:the authors?|\d{4})|copyright\s*(?:\u00A9|:|\d{4}|notice))/i
const dates = /^(?:(?:manuscript |article )?(?:received|submitted|accepted|revised|published(?: online)?|handling editor|edited by|reviewed by|academic editor)\s*:|(?:received|submitted|accepted) (?:on )?\d{1,2} (?:january|february|march|april|may|june|july|august|september|october|november|december)\b)/i
const identifiers = /^(?:(?:https?:\/\/(?:dx\.)?doi\.org\/|doi\s*:?\s*)10\.\d{4,9}\/\S+|(?:e-?|p-?)?issn\b.{0,40}|(?:cite|citing) this (?:article|paper) as\b.*|submit your (?:next )?manuscript\b.*)$/is
const address = /^(?:\d{1,2}|[a-h*\u2020\u2021])?\s*(?:(?:department|dept\.?|school|faculty|institute?|institut|division|centre|center|laborator(?:y|ies)|college|university|universit\u00E9|museum|hospital)\b|\p{Lu}[\p{L}\s&,'\u2019-]{0,80}\b(?:department|university|institute|museum|hospital)\b)/iu
const named = /^(?:author details|author affiliations?|affiliations?|authors?.{0,2} addresses|addresses of authors?|author information)$/

/** The longest that such a paragraph gets: a licence in full. */
const lengthMax = 1200

/**
 * @param title of the section it stands in, in lower case
 */
export function isImprint (text: string, title: string): boolean {
  if (text.length > lengthMax) return named.test(title) && address.test(text)
  if (named.test(title)) return address.test(text) || dates.test(text)
  return licence.test(text) || rights.test(text) || identifiers.test(text) ||
    (dates.test(text) && text.length < 240)
}
