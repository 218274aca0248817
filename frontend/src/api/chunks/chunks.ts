import { useSyncExternalStore } from 'react'
import { ChunkStore } from './ChunkStore'

async function get(url: string): Promise<number> {
  try {
    const response = await fetch(url)
    // To the end: what breaks off on the way is not in the cache.
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

/** The files of this page. */
export const chunks = new ChunkStore({
  get,
  setTimer: (call, milliseconds) => {
    const timer = setTimeout(call, milliseconds)
    return () => clearTimeout(timer)
  },
})

/** True while a file of the page does not come. */
export function useIsStuck(): boolean {
  return useSyncExternalStore(chunks.listen, chunks.isStuck)
}
