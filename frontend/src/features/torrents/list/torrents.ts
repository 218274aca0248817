import type { Torrent } from '~/api/types'
import type { Sort } from '~/ui/table/column'

/** How a torrent stands, for people. */
export type Standing = 'metadata' | 'flows' | 'reads' | 'idle' | 'stands' | 'closed' | 'seeds' | 'queued' | 'stopped' | 'checking' | 'moving' | 'missing' | 'failed'

/** What a torrent does now. It stands when something keeps it from what is wanted. */
export function standing({ state, phase, downRate, readers, reason }: Pick<Torrent, 'state' | 'phase' | 'downRate' | 'readers' | 'reason'>): Standing {
  if (phase === 'checking' || phase === 'moving' || phase === 'missing' || phase === 'failed') return phase
  if (state === 'closed') return phase === null ? 'closed' : phase.endsWith('Stopped') ? 'stopped' : phase.endsWith('Queued') ? 'queued' : 'closed'
  if (state !== 'active') return state
  if (phase !== null && phase.endsWith('Stopped') && readers === 0 && downRate === 0) return 'stopped'
  if (reason !== null && downRate === 0) return 'stands'
  if (readers > 0) return 'reads'
  if (downRate > 0) return 'flows'
  return phase === 'seeding' ? 'seeds' : 'idle'
}

/** The torrent that an address names as selected; what cannot be an info-hash is none: the server has other things at such places. */
export function chosen(selected: string | undefined): string | undefined {
  return selected !== undefined && /^[0-9a-f]{40}$/i.test(selected) ? selected.toLowerCase() : undefined
}

/** The share of its pieces that is held; of a kept torrent that is closed what is on disk of what is wanted. Null: not known. */
export function heldShare({ have, pieces, size, kept, progress }: Pick<Torrent, 'have' | 'pieces' | 'size' | 'kept' | 'progress'>): number | null {
  if (have === null || pieces === null || pieces === 0) return kept && size > 0 ? progress : null
  return have / pieces
}

/** A share as it is shown: what lacks a little is never rounded up to all. */
export function shownShare(share: number): number {
  return share < 1 ? Math.min(share, 0.99) : 1
}

const order: Record<string, (a: Torrent, b: Torrent) => number> = {
  name: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }),
  size: (a, b) => a.size - b.size,
  have: (a, b) => (heldShare(a) ?? -1) - (heldShare(b) ?? -1),
  peers: (a, b) => a.peers - b.peers,
  down: (a, b) => a.downRate - b.downRate,
  up: (a, b) => a.upRate - b.upRate,
  ratio: (a, b) => (a.ratio ?? -1) - (b.ratio ?? -1),
}

/** Torrents in an order; without one, or by one that is not known, as the server has them: those in their swarms first. Equal ones keep their places. */
export function sorted(torrents: readonly Torrent[], sort: Sort | undefined): readonly Torrent[] {
  const compare = sort === undefined ? undefined : order[sort.by]
  if (compare === undefined) return torrents
  return [...torrents].sort((a, b) => sort?.descending === true ? compare(b, a) : compare(a, b))
}
