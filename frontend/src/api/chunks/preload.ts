import { chunks } from './chunks'
import { load } from './load'

/** What each `import()` of the built page goes through, in place of Vite's own helper, which fails once and for all. `files` are relative to `from`. */
export function __vitePreload<T>(chunk: () => Promise<T>, files: readonly string[] = [], from = document.baseURI): Promise<T> {
  return load(chunk, files.map((file) => new URL(file, from).href), chunks)
}
