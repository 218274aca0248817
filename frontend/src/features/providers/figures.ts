import type { Provider } from '~/api/types'

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

/** By tier, then by number. */
export function inOrder(providers: readonly Provider[]): Provider[] {
  return [...providers].sort((one, other) => one.priority - other.priority || one.number - other.number)
}
