/** Text as data: it cannot close a tag that a prompt opened around it, nor open a turn of the chat. */
import { wellFormed } from '../text/start-of.ts'

/** What a reader does not see and a normaliser takes out. */
const unseen = String.raw`[\p{Cf}\p{Default_Ignorable_Code_Point}]*`

/** One ASCII character as it is and as NFKC makes it. */
function widths (character: string): string {
  const wide = character.charCodeAt(0) + 0xFEE0
  return `[\\u{${character.charCodeAt(0).toString(16)}}\\u{${wide.toString(16)}}]`
}

/** A pattern for the word, whatever unseen stands between its characters. `#` stands for digits. */
function spread (word: string): string {
  return Array.from(word, each => {
    if (each === '#') return String.raw`(?:\d${unseen})+`
    return `${/[!-~]/.test(each) ? widths(each) : each}${unseen}`
  }).join('')
}

const anyOf = (words: string) => `(?:${words.trim().split(/\s+/).map(spread).join('|')})`

/**
 * Names in angle brackets that tokenizers read as tokens in any text: turns, ends of text, places of
 * images, tools. A paper about language models has them printed. Everything that begins with <| is one too.
 */
const angled = anyOf(`
  s bos eos pad unk mask cls sep sop eop eod eot eom role
  bos_token eos_token pad_token unk_token mask_token cls_token sep_token eop_token
  start_of_turn end_of_turn start_of_image end_of_image start_of_audio end_of_audio end_of_utterance
  beginning_of_sentence end_of_sentence begin_of_sentence begin▁of▁sentence end▁of▁sentence end_of_document
  im_start im_end image img image_soft_token audio_soft_token image_placeholder imagehere img_context
  fake_token_around_image video audio think seed:bos seed:eos seed:pad seed:think
  tool_call tool_response tool_calls tool_output
  fim_prefix fim_middle fim_suffix fim_pad fim-prefix fim-middle fim-suffix
  turn| channel| tool| tool_call| tool_response| image| audio| video| think|
  unused# reserved_# extra_id_# special_#`)

/** In square brackets, in the letters in which they are tokens: "[mask]" is only a word. */
const squared = anyOf(`
  INST SYSTEM_PROMPT AVAILABLE_TOOLS TOOL_CALLS TOOL_RESULTS TOOL_CONTENT MODEL_SETTINGS CALL_ID ARGS
  IMG IMG_BREAK IMG_END AUDIO BEGIN_AUDIO THINK PREFIX MIDDLE SUFFIX
  MASK gMASK sMASK CLS SEP PAD UNK BOS EOS EOT UNUSED_TOKEN_# extra_id_# control_#
  |system| |user| |assistant| |tool| |endofturn|
  begin▁of▁sentence end▁of▁sentence`)

const [slash, bar, end, close] = ['/', '|', '>', ']'].map(spread)
const less = '[<\uFF1C\uFE64]'

const angleToken = new RegExp(
  `${less}(?=${unseen}(?:${bar}|(?:${slash})?${angled}\\s?${end}|(?:${slash})?${spread('sys>>')}))`, 'giu')
// MiniMax sets its turns in brackets of no pair: ]~b]user … [e~[
const bracketToken = new RegExp(
  `[[\uFF3B](?=${unseen}(?:(?:${slash})?${squared}${close}|${spread('e~[')}))|` +
  `\\](?=${unseen}${spread('~')}(?:${spread('!')})?${spread('b')}[\\]\\[])`, 'gu')
const entity: Readonly<Record<string, string>> = { '[': '&#91;', '\uFF3B': '&#91;', ']': '&#93;' }

/**
 * A function that takes from a value what would step outside the prompt: tokens of chat templates, closing
 * tags of those named, controls. The sign that such a thing begins with is written as its entity, so that it
 * stays readable; all other text is as it was, brackets among it.
 *
 * @param tags  names of tags that the prompt opens around values, `a-z` and hyphens
 */
export function fenceFor (tags: readonly string[]): (value: string) => string {
  const blank = String.raw`[\s\p{Cf}\p{Default_Ignorable_Code_Point}]*`
  const closing = tags.length === 0
    ? null
    : new RegExp(`${less}(?=${blank}${widths('/')}${blank}(?:${tags.map(spread).join('|')})(?![\\w-]))`, 'giu')
  return value => {
    // A server in C ends the prompt at the first control.
    const tokenless = wellFormed(value)
      .replaceAll(/[^\P{Cc}\t\n\r]/gu, ' ')
      .replace(angleToken, '&lt;')
      .replace(bracketToken, sign => entity[sign]!)
    return closing === null ? tokenless : tokenless.replace(closing, '&lt;')
  }
}
