interface Placed { text: string, x: number, y: number }

/**
 * Whether a sign goes on with the number before it. Digits of one font are of one width, whatever their ink:
 * a 1 has a third of it. From pen to pen, a digit after a digit is half an em on, after a point a quarter; a
 * space would add a quarter.
 * @param size of the larger of the two, in points
 */
export function isOneNumber (last: Placed, { text, x, y }: Placed, size: number): boolean {
  const step = (x - last.x) / size
  if (Math.abs(y - last.y) > 0.05 * size || step <= 0) return false
  if (/^\d$/u.test(last.text)) return /^[\d.,]$/u.test(text) && step < 0.68
  return /^[.,]$/u.test(last.text) && /^\d$/u.test(text) && step < 0.4
}
