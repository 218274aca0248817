/** Milliseconds until attempt `n` (from 0) to reach a server that is away: 1 s to 30 s, doubled each time, with a quarter of chance so that pages do not come all at once. */
export function backoff(attempt: number, random: () => number = Math.random): number {
  const base = Math.min(30_000, 1000 * 2 ** Math.min(attempt, 5))
  return Math.round(base * (0.75 + 0.5 * random()))
}
