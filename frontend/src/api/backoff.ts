/**
 * Milliseconds until attempt `n` (from 0) to reach a server that is away: 1 s to 8 s, doubled each time, with a quarter of chance so that pages do not come all
 * at once. No longer, as a small box takes half a minute to start, and whoever looks at the page waits for it.
 */
export function backoff(attempt: number, random: () => number = Math.random): number {
  const base = 1000 * 2 ** Math.min(attempt, 3)
  return Math.round(base * (0.75 + 0.5 * random()))
}
