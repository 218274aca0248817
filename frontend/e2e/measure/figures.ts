/** The value that a share of the figures does not exceed. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN
}

export function median(figures: readonly number[]): number {
  return percentile(figures, 0.5)
}

/** Prints one row of figures; headings begin with the name of the first column. */
export function say(...cells: readonly (string | number)[]): void {
  // eslint-disable-next-line no-console -- what it is for
  console.log(cells.map((cell, at) => (at === 0 ? String(cell).padEnd(30) : String(typeof cell === 'number' ? Math.round(cell * 10) / 10 : cell).padStart(11))).join(''))
}

/** A whole number from the environment, or `otherwise`. */
export function asked(name: string, otherwise: number): number {
  return Number(process.env[name] ?? otherwise)
}
