import { queryOptions } from '@tanstack/react-query'
import { api, take } from './client'
import { keys } from './live'
import type { FilePriority, Torrent, TorrentActionName, TorrentDetails, TorrentNetwork, TorrentPolicy } from './types'

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

/** How torrents reach peers and are reached; read anew every few seconds while it is shown. */
export const torrentNetwork = queryOptions({
  queryKey: ['torrentNetwork'],
  queryFn: async ({ signal }): Promise<TorrentNetwork> => take(api.GET('/api/v1/torrents/network', { signal })),
  refetchInterval: 3000,
})

/** Does something with torrents. */
export async function actOnTorrents(hashes: string[], action: TorrentActionName): Promise<unknown> {
  return take(api.POST('/api/v1/torrents/actions', { body: { hashes, action } }))
}

/** Sets how soon files of a torrent are fetched while it is kept. */
export async function prioritizeFiles(hash: string, files: number[], priority: FilePriority): Promise<unknown> {
  return take(api.PUT('/api/v1/torrents/{hash}/files', { params: { path: { hash } }, body: { files, priority } }))
}

/** Sets how a torrent is kept and seeded where that differs from its category. */
export async function setPolicy(hash: string, policy: TorrentPolicy): Promise<unknown> {
  return take(api.PUT('/api/v1/torrents/{hash}/policy', { params: { path: { hash } }, body: policy }))
}
