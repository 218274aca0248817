/** Where a vertical axis ends: a tenth above its values, and at `least` at the lowest, below which all marks would read alike. */
export function topOf(most: number, least: number): number {
  return Math.max(most * 1.1, least)
}
