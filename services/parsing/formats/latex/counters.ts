/** Counters as LaTeX has them: stepping one resets those that count within it. */

export interface Counters {
  values: Map<string, number>
  /** Counter to the one within which it counts. */
  within: Map<string, string>
}

export function newCounters (): Counters {
  const within = new Map([
    ['subsection', 'section'], ['subsubsection', 'subsection'], ['paragraph', 'subsubsection'],
    ['subparagraph', 'paragraph'], ['enumii', 'enumi'], ['enumiii', 'enumii'], ['enumiv', 'enumiii']
  ])
  return { values: new Map(), within }
}

export function stepCounter ({ values, within }: Counters, name: string): void {
  values.set(name, (values.get(name) ?? 0) + 1)
  const reset = (parent: string, depth: number) => {
    for (const [child, outer] of within) {
      if (outer !== parent || child === parent) continue
      values.set(child, 0)
      if (depth < 8) reset(child, depth + 1)
    }
  }
  reset(name, 0)
}

const romans: [number, string][] = [
  [1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'],
  [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']
]

/** @param form `arabic`, `roman`, `Roman`, `alph`, `Alph` or `fnsymbol` */
export function formatted (value: number, form: string): string {
  switch (form) {
    case 'roman': return roman(value).toLowerCase()
    case 'Roman': return roman(value)
    case 'alph': return letter(value).toLowerCase()
    case 'Alph': return letter(value)
    case 'fnsymbol': return ['*', '†', '‡', '§', '¶', '‖', '**', '††', '‡‡'][value - 1] ?? String(value)
    default: return String(value)
  }
}

function letter (value: number): string {
  return value >= 1 && value <= 26 ? String.fromCharCode(64 + value) : String(value)
}

function roman (value: number): string {
  let rest = Math.min(Math.max(0, value), 3_999)
  let text = ''
  for (const [amount, sign] of romans) {
    while (rest >= amount) {
      text += sign
      rest -= amount
    }
  }
  return text
}
