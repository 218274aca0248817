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

/** The share of its pieces that is held; null: not known. */
export function heldShare({ have, pieces }: Pick<Torrent, 'have' | 'pieces'>): number | null {
  return have === null || pieces === null || pieces === 0 ? null : have / pieces
}

const order: Record<string, (a: Torrent, b: Torrent) => number> = {
  name: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }),
  size: (a, b) => a.size - b.size,
  have: (a, b) => (heldShare(a) ?? -1) - (heldShare(b) ?? -1),
  peers: (a, b) => a.peers - b.peers,
  down: (a, b) => a.downRate - b.downRate,
  up: (a, b) => a.upRate - b.upRate,
}

/** Torrents in an order; without one, or by one that is not known, as the server has them: those in their swarms first. Equal ones keep their places. */
export function sorted(torrents: readonly Torrent[], sort: Sort | undefined): readonly Torrent[] {
  const compare = sort === undefined ? undefined : order[sort.by]
  if (compare === undefined) return torrents
  return [...torrents].sort((a, b) => sort?.descending === true ? compare(b, a) : compare(a, b))
}
