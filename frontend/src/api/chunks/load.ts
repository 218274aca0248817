import { GoneError, type ChunkStore } from './ChunkStore'

/** How often an import may fail although all its files are there, before it counts as lost: the browser keeps a failure. */
const Tries = 3

/** Imports a chunk: first its files, then its styles, then the code. Goes on trying while the server is away; throws GoneError after an upgrade. */
export async function load<T>(chunk: () => Promise<T>, urls: readonly string[], store: ChunkStore, style: (url: string) => Promise<void> = addStyle): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await store.have(urls)
    try {
      await Promise.all(urls.filter((url) => url.endsWith('.css')).map(style))
      return await chunk()
    } catch (error) {
      if (!isMissing(error)) throw error
      if (attempt === Tries) throw new GoneError(urls.at(0) ?? location.href)
      store.forget(urls)
    }
  }
}

/** True for what browsers throw when a file does not come (Chromium, Firefox, Safari, `addStyle`), not for faults of the code that came. */
function isMissing(error: unknown): boolean {
  return error instanceof MissingStyle || (error instanceof TypeError && /dynamically imported module|importing a module script failed/i.test(error.message))
}

class MissingStyle extends Error {}

const styles = new Map<string, Promise<void>>()

/** Adds a stylesheet to the page, once. */
function addStyle(url: string): Promise<void> {
  let added = styles.get(url)
  if (added === undefined) {
    added = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].some((link) => link.href === url) ? Promise.resolve() : append(url)
    added.catch(() => styles.delete(url))
    styles.set(url, added)
  }
  return added
}

function append(url: string): Promise<void> {
  return new Promise((done, failed) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = url
    link.onload = () => done()
    link.onerror = () => {
      link.remove()
      failed(new MissingStyle(url))
    }
    document.head.append(link)
  })
}
