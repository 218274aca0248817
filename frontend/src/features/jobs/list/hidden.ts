import type { QueryClient } from '@tanstack/react-query'

/** Jobs that are deleted on the screen, and perhaps not yet on the server. */
export const hiddenKey = ['hiddenJobs'] as const
export const NoneHidden: ReadonlySet<string> = new Set()

/** Takes jobs off all lists. */
export function hide(client: QueryClient, ids: Iterable<string>): void {
  client.setQueryData<ReadonlySet<string>>(hiddenKey, (hidden) => new Set([...(hidden ?? []), ...ids]))
}

/** Puts them back. */
export function show(client: QueryClient, ids: Iterable<string>): void {
  const back = new Set(ids)
  client.setQueryData<ReadonlySet<string>>(hiddenKey, (hidden) => new Set([...(hidden ?? [])].filter((id) => !back.has(id))))
}
