import type { Provider, Series, Status } from '~/api/types'

/** Longest time without a word that is drawn as if nothing had changed: at rest the server speaks every 5 s. */
const Silence = 6

/** The lines that the chart shows: what comes from providers and from peers. */
export function isRate(name: string): boolean {
  return name.startsWith('provider.') || name === 'torrents.down'
}

/** Rates by the name of their line. */
export function rates(providers: readonly Provider[], status: Status): ReadonlyMap<string, number> {
  return new Map([...providers.map((provider): [string, number] => [`provider.${provider.number}`, provider.rate]), ['torrents.down', status.torrentRate]])
}

/** Seconds that are shown. */
const Span = 3600

/** The series up to `now` (ms), an hour at most: what is known now stands at its end, what was missed is left open. */
export function extended(series: Series, now: number, latest: ReadonlyMap<string, number>, span = Span): Series {
  const { stepSeconds } = series
  const [length, most] = [series.lines[0]?.values.length ?? 0, span / stepSeconds]
  const missing = Math.floor((now - Date.parse(series.start)) / (stepSeconds * 1000)) - length
  if (missing <= 0) return series
  const added = Math.min(most, missing)
  const dropped = length + missing - most
  return {
    ...series,
    start: new Date(Date.parse(series.start) + Math.max(0, dropped) * stepSeconds * 1000).toISOString(),
    lines: series.lines.map((line) => {
      const value = latest.get(line.name) ?? null
      const missed = added * stepSeconds > Silence ? added - 1 : 0
      return { ...line, values: [...line.values, ...Array.from({ length: added }, (_, at) => (at < missed ? null : value))].slice(-most) }
    }),
  }
}

/** Mean and peak of what is known; 0 if nothing is. */
export function summary(values: readonly (number | null)[]): { mean: number; peak: number } {
  let [sum, count, peak] = [0, 0, 0]
  for (const value of values) {
    if (value === null) continue
    sum += value
    count++
    peak = Math.max(peak, value)
  }
  return { mean: count > 0 ? sum / count : 0, peak }
}
