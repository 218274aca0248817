import { describe, expect, it } from 'vitest'
import type { Torrent } from '~/api/types'
import { chosen, heldShare, shownShare, sorted, standing } from './torrents'

const torrent = (over: Partial<Torrent>): Torrent => ({
  infoHash: 'a', name: 'a', itemId: null, jobId: null, state: 'active', private: false, size: 1, pieces: 10, have: 5, peers: 0, seeds: 0, downRate: 0, upRate: 0, downloaded: 0, uploaded: 0, readers: 0, reason: null,
  phase: 'seedIdle', category: 'tv', kept: false, forced: false, progress: 1, ratio: 0, position: null, knownSeeds: null, knownLeechers: null, eta: null, ...over,
})

describe('how a torrent stands', () => {
  it.each([
    [{ state: 'closed' }, 'closed'], [{ state: 'metadata', reason: 'no peer' }, 'metadata'],
    [{ reason: 'no peer has piece 812' }, 'stands'], [{ reason: 'tracker refused', downRate: 1, readers: 1 }, 'reads'],
    [{ readers: 1 }, 'reads'], [{ downRate: 1 }, 'flows'], [{}, 'idle'],
    [{ phase: 'seeding' }, 'seeds'], [{ state: 'closed', phase: 'seedStopped' }, 'stopped'], [{ phase: 'seedStopped' }, 'stopped'], [{ phase: 'seedStopped', readers: 1 }, 'reads'], [{ state: 'closed', phase: 'downloadQueued' }, 'queued'],
    [{ phase: 'failed', reason: 'The disk is full.' }, 'failed'], [{ phase: 'checking', downRate: 1 }, 'checking'], [{ phase: null }, 'idle'], [{ state: 'closed', phase: null }, 'closed'],
  ] as [Partial<Torrent>, string][])('%o: %s', (over, expected) => {
    expect(standing(torrent(over))).toBe(expected)
  })

  it('takes from the address only what can be an info-hash', () => {
    const hash = '0123456789abcdef0123456789abcdef01234567'
    expect(chosen(hash)).toBe(hash)
    expect(chosen(hash.toUpperCase())).toBe(hash)
    for (const other of ['network', 'actions', '', '../session', `${hash}0`, hash.slice(1), undefined]) expect(chosen(other)).toBeUndefined()
  })

  it('knows no share without pieces', () => {
    expect(heldShare(torrent({}))).toBe(0.5)
    expect(heldShare(torrent({ pieces: null, have: null }))).toBeNull()
    expect(heldShare(torrent({ pieces: 0, have: 0 }))).toBeNull()
  })

  it('knows what a kept torrent has on disk while it is closed, but not of one that is cached or not described', () => {
    const closed = { state: 'closed', pieces: null, have: null, progress: 0.25 } as const
    expect(heldShare(torrent({ ...closed, kept: true }))).toBe(0.25)
    expect(heldShare(torrent({ ...closed, kept: false }))).toBeNull()
    expect(heldShare(torrent({ ...closed, kept: true, size: 0 }))).toBeNull()
  })

  it('shows all only when all is there', () => {
    expect([0, 0.29, 0.5, 0.996, 0.9999, 1].map(shownShare)).toEqual([0, 0.29, 0.5, 0.99, 0.99, 1])
  })
})

describe('the order of torrents', () => {
  const all = [torrent({ name: 'Show 10', size: 2 }), torrent({ name: 'show 9', size: 2 }), torrent({ name: 'Film', size: 5, have: null, pieces: null })]
  const names = (by: string, descending = false) => sorted(all, { by, descending }).map(({ name }) => name)

  it('is the server\'s unless another is asked for', () => {
    expect(sorted(all, undefined)).toBe(all)
    expect(sorted(all, { by: 'nonsense', descending: false })).toBe(all)
  })

  it('counts as people do', () => {
    expect(names('name')).toEqual(['Film', 'show 9', 'Show 10'])
  })

  it('keeps equal ones in their places, in both directions', () => {
    expect(names('size')).toEqual(['Show 10', 'show 9', 'Film'])
    expect(names('size', true)).toEqual(['Film', 'Show 10', 'show 9'])
  })

  it('takes the ratio, which some have none of', () => {
    const some = [torrent({ name: 'none', ratio: null }), torrent({ name: 'low', ratio: 0 }), torrent({ name: 'high', ratio: 3 })]
    expect(sorted(some, { by: 'ratio', descending: true }).map(({ name }) => name)).toEqual(['high', 'low', 'none'])
  })

  it('puts what is not known last when the largest come first', () => {
    expect(names('have', true)).toEqual(['Show 10', 'show 9', 'Film'])
  })
})
