/** What a number field gives while one types: a number, or a text on the way to one, such as "1." or "-". */
export type Typed = number | string

/** The number that was typed; null if the field is empty, NaN if it holds no number. */
export function numberOf(typed: Typed): number | null {
  return typed === '' ? null : Number(typed)
}

/** True if something was typed that is no number. */
export function isWrong(typed: Typed): boolean {
  return Number.isNaN(numberOf(typed))
}
