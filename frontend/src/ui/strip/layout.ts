/** A stretch of what a strip shows; `start` and `length` in any unit. */
export type Segment<K extends string> = { start: number; length: number; kind: K }

/** A rectangle of a strip, in columns. */
export type Bar<K extends string> = { x: number; width: number; kind: K }

/**
 * Lays segments out on `columns` columns. A column shows the kind that covers most of it, each weighed: Infinity makes a kind visible wherever it is, however short. Neighbours of
 * one kind become one bar, so the count of bars is bounded by the columns, not by the segments. Where segments overlap, both count. Columns that nothing covers are left out.
 */
export function layout<K extends string>(segments: readonly Segment<K>[], total: number, columns: number, weights: Record<K, number>): Bar<K>[] {
  if (total <= 0 || columns <= 0) return []
  const best: (K | undefined)[] = new Array<K | undefined>(columns).fill(undefined)
  const score = new Float64Array(columns)
  const covered = new Map<K, Float64Array>()
  for (const { start, length, kind } of segments) {
    if (length <= 0) continue
    let share = covered.get(kind)
    if (share === undefined) covered.set(kind, share = new Float64Array(columns))
    const from = Math.max(0, start / total * columns)
    const to = Math.min(columns, (start + length) / total * columns)
    for (let column = Math.floor(from); column < Math.ceil(to) && column < columns; column++) {
      share[column] = (share[column] ?? 0) + Math.min(to, column + 1) - Math.max(from, column)
    }
  }
  for (const [kind, share] of covered) {
    for (let column = 0; column < columns; column++) {
      const part = share[column] ?? 0
      if (part <= 0) continue
      const weighed = part * weights[kind]
      if (weighed > (score[column] ?? 0)) {
        score[column] = weighed
        best[column] = kind
      }
    }
  }
  return joined(best)
}

/** Puts stretches that are told by their lengths alone one behind the other. */
export function inOrder<K extends string>(runs: readonly { length: number; kind: K }[]): Segment<K>[] {
  let start = 0
  return runs.map(({ length, kind }) => {
    const segment = { start, length, kind }
    start += length
    return segment
  })
}

function joined<K extends string>(columns: readonly (K | undefined)[]): Bar<K>[] {
  const bars: Bar<K>[] = []
  columns.forEach((kind, x) => {
    if (kind === undefined) return
    const last = bars.at(-1)
    if (last !== undefined && last.kind === kind && last.x + last.width === x) last.width++
    else bars.push({ x, width: 1, kind })
  })
  return bars
}
