import { queryOptions } from '@tanstack/react-query'
import { absolute, address } from './address'
import { inBatches } from './batches'
import { api, take } from './client'
import { keys } from './live'
import type { ActionAnswer, FileDetails, FilePage, Media, PlayLink } from './types'

/** Order of a list of files. */
export type FileSort = 'name' | 'size' | 'modified'

/** What a list of files shows: the children of a collection, or what a search finds. */
export type FileList = { path: string; query: string; sort: FileSort; descending: boolean }

/** One page of a list. */
export function filePage({ path, query, sort, descending }: FileList, offset: number, limit: number) {
  return queryOptions({
    queryKey: [...keys.files, 'page', path, query, sort, descending, offset, limit],
    queryFn: async ({ signal }): Promise<FilePage> => query === ''
      ? take(api.GET('/api/v1/files', { params: { query: { path, sort, descending, offset, limit } }, signal }))
      : take(api.GET('/api/v1/files/search', { params: { query: { query, offset, limit } }, signal })),
  })
}

/** All that is known of a file or collection. */
export function fileDetails(id: string) {
  return queryOptions({
    queryKey: [...keys.files, 'item', id],
    queryFn: async ({ signal }): Promise<FileDetails> => take(api.GET('/api/v1/files/{id}', { params: { path: { id } }, signal })),
  })
}

/** Container and tracks of a file. Reads its head from the provider, once. */
export function fileMedia(id: string) {
  return queryOptions({
    queryKey: ['media', id],
    queryFn: async ({ signal }): Promise<Media> => take(api.GET('/api/v1/files/{id}/media', { params: { path: { id } }, signal })),
    staleTime: Infinity,
  })
}

/** A signed link to a file, for players and for the page's own. Made anew after an hour, so that it holds longer than the film. */
export function fileLink(id: string) {
  return queryOptions({
    queryKey: ['link', id],
    queryFn: async (): Promise<PlayLink> => take(api.POST('/api/v1/files/{id}/link', { params: { path: { id } }, body: { hours: null } })),
    staleTime: 3_600_000,
    gcTime: 3_600_000,
  })
}

/** The address of a signed link. */
export function linkAddress(link: PlayLink): string {
  return absolute(link.path)
}

/** The address of a playlist with one file. */
export function playlistAddress(id: string, format: 'm3u8' | 'm3u' | 'xspf' | 'strm'): string {
  return address(`api/v1/files/${id}/playlist?format=${format}`)
}

/** The address of a folder as .zip. */
export function zipAddress(id: string): string {
  return address(`api/v1/files/${id}/zip`)
}

/** The address of a subtitle as WebVTT. */
export function subtitleAddress(id: string): string {
  return address(`api/v1/files/${id}/vtt`)
}

/** Deletes files; what a library holds is refused unless forced. */
export async function deleteFiles(ids: string[], force: boolean): Promise<ActionAnswer> {
  return inBatches(ids, (part) => take(api.POST('/api/v1/files/actions', { body: { ids: part, action: 'delete', parentId: null, name: null, force } })))
}

/** Gives one file another name. */
export async function renameFile(id: string, name: string): Promise<ActionAnswer> {
  return take(api.POST('/api/v1/files/actions', { body: { ids: [id], action: 'rename', parentId: null, name, force: null } }))
}

/** Moves files into a collection. */
export async function moveFiles(ids: string[], parentId: string): Promise<ActionAnswer> {
  return inBatches(ids, (part) => take(api.POST('/api/v1/files/actions', { body: { ids: part, action: 'move', parentId, name: null, force: null } })))
}
