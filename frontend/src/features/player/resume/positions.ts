/** Where somebody stopped in a file: seconds, of how many, and when (milliseconds). */
export type Position = { at: number; of: number; when: number }
export type Positions = Record<string, Position>

/** How many are kept. */
const Most = 300
/** Nobody needs to be brought back to the first half minute. */
const Least = 30

/** Positions with one more. What has been seen to its last twentieth, or for less than half a minute, is forgotten; so are the oldest above 300. */
export function remembered(positions: Positions, id: string, at: number, of: number, now: number): Positions {
  const rest = Object.entries(positions).filter(([other]) => other !== id)
  if (at >= Least && Number.isFinite(of) && at < of * 0.95) rest.push([id, { at, of, when: now }])
  return Object.fromEntries(rest.sort(([, a], [, b]) => b.when - a.when).slice(0, Most))
}

const Kept = 'nzbdav.positions'

/** What this browser remembers. */
export function readPositions(): Positions {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(Kept) ?? '{}')
    return typeof kept === 'object' && kept !== null ? kept as Positions : {}
  } catch {
    return {}
  }
}

/** Remembers where somebody is in a file. */
export function keepPosition(id: string, at: number, of: number): void {
  try {
    localStorage.setItem(Kept, JSON.stringify(remembered(readPositions(), id, at, of, Date.now())))
  } catch {
    // Storage is off or full: next time it begins at the beginning.
  }
}
