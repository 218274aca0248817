import type { Provider, Reliability } from '~/api/types'

/** Articles that a provider was asked for and that it answered about. */
function asked(provider: Provider): number {
  return provider.found + provider.missing
}

/** The share of the articles asked for that were there, 0…1; null: none were asked for. */
export function foundShare(provider: Provider): number | null {
  return asked(provider) === 0 ? null : provider.found / asked(provider)
}

/** The share of the articles asked for that were not there, 0…1; null: none were asked for. */
export function missShare(provider: Provider): number | null {
  const found = foundShare(provider)
  return found === null ? null : 1 - found
}

/** The share of all bytes that came from a provider, 0…1; null while there are none. */
export function byteShare(provider: Provider, all: readonly Provider[]): number | null {
  const bytes = all.reduce((sum, each) => sum + each.bytes, 0)
  return bytes === 0 ? null : provider.bytes / bytes
}

/** How many connections may be open: what the provider grants, as far as that is known. */
export function limitOf({ connections }: Provider): number {
  return Math.min(connections.granted ?? connections.configured, connections.configured)
}

/** Which come first: those that are spared come after all others, whatever their priority. */
function reserve(provider: Provider): number {
  return provider.isBlock ? 2 : provider.backupOnly ? 1 : 0
}

/** As they are asked: by tier, then by number. */
export function inOrder(providers: readonly Provider[]): Provider[] {
  return [...providers].sort((one, other) => reserve(one) - reserve(other) || one.priority - other.priority || one.number - other.number)
}

export type Outcome = keyof Reliability

/** What became of the articles of the last day, those with a share, in the order of a bar; empty when none were asked for. */
export function outcomes(lately: Reliability): { outcome: Outcome; share: number }[] {
  const all = lately.found + lately.missing + lately.damaged + lately.timedOut + lately.lost
  return (['found', 'missing', 'damaged', 'timedOut', 'lost'] as const).filter((outcome) => lately[outcome] > 0).map((outcome) => ({ outcome, share: lately[outcome] / all }))
}
