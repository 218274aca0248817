import { queryOptions } from '@tanstack/react-query'
import { api, take } from './client'
import { keys } from './live'
import type { Torrent, TorrentDetails } from './types'

/** All torrents: those in their swarms first. The live stream keeps it current. */
export const torrentList = queryOptions({
  queryKey: keys.torrents,
  queryFn: async ({ signal }): Promise<{ torrents: Torrent[] }> => take(api.GET('/api/v1/torrents', { signal })),
})

/** One torrent with its peers, trackers, pieces and files; read anew with each event while it is shown. */
export function torrentDetails(hash: string) {
  return queryOptions({
    queryKey: ['torrent', hash],
    queryFn: async ({ signal }): Promise<TorrentDetails> => take(api.GET('/api/v1/torrents/{hash}', { params: { path: { hash } }, signal })),
  })
}

/** Limits what a torrent sends to its peers and gets from them, in bytes a second; null: no limit of its own. */
export async function limitTorrent(hash: string, upRate: number | null, downRate: number | null): Promise<unknown> {
  return take(api.PUT('/api/v1/torrents/{hash}/limits', { params: { path: { hash } }, body: { upRate, downRate } }))
}
