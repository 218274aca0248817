/** The colour of a provider: the same for its number wherever it is drawn. */
export function colourOf(number: number): string {
  return `var(--nz-line-${number % 6})`
}
