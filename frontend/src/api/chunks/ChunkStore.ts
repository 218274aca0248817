import { backoff } from '../backoff'

/** A file of the page that the server does not have: it runs another version than the one this page is of. */
export class GoneError extends Error {
  constructor(readonly url: string) {
    super(`The server has no ${url}.`)
    this.name = 'GoneError'
  }
}

/** Reaches files; the tests have fakes. */
export type Reach = {
  /** Fetches a file into the browser's cache; its HTTP status, 0 if the server did not answer. */
  get: (url: string) => Promise<number>
  setTimer: (call: () => void, milliseconds: number) => () => void
}

/**
 * Fetches files of the page, as often as it takes. A failed `import()` is no way to try: until 2026 all browsers kept the failure for as long as the page lived
 * (whatwg/html#6768), for each file of the graph. So an import begins once all its files are in the browser's cache.
 */
export class ChunkStore {
  private readonly had = new Map<string, Promise<void>>()
  private readonly failing = new Set<string>()
  private readonly sleepers = new Set<() => void>()
  private readonly listeners = new Set<() => void>()

  constructor(private readonly reach: Reach) {}

  /** Gives all files, once they are there. Throws GoneError if the server answers that it has no such file. */
  async have(urls: readonly string[]): Promise<void> {
    await Promise.all(urls.map((url) => this.one(url)))
  }

  /** Waits until the server answers for an address, whatever it answers. */
  async answers(url: string): Promise<void> {
    await this.until(url, (status) => status < 500)
  }

  /** Counts a file that was given as missing: it did not arrive. */
  forget(urls: readonly string[]): void {
    for (const url of urls) this.had.delete(url)
  }

  /** True while a file does not come. */
  readonly isStuck = (): boolean => this.failing.size > 0

  /** Has a listener told when `isStuck` changes; gives what ends that. */
  readonly listen = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Tries at once: the server has just answered something else. */
  readonly wake = (): void => {
    for (const sleeper of [...this.sleepers]) sleeper()
  }

  private one(url: string): Promise<void> {
    let file = this.had.get(url)
    if (file === undefined) {
      file = this.until(url, (status) => {
        // 408 and 429 pass; what else is between 400 and 499 does not.
        if (status >= 400 && status < 500 && status !== 408 && status !== 429) throw new GoneError(url)
        return status >= 200 && status < 400
      })
      file.catch(() => this.had.delete(url))
      this.had.set(url, file)
    }
    return file
  }

  private async until(url: string, isEnough: (status: number) => boolean): Promise<void> {
    try {
      for (let attempt = 0; ; attempt++) {
        const status = await this.reach.get(url)
        if (status > 0 && isEnough(status)) return
        this.mark(url, true)
        await this.sleep(backoff(attempt))
      }
    } finally {
      this.mark(url, false)
    }
  }

  private sleep(milliseconds: number): Promise<void> {
    return new Promise((done) => {
      const end = () => {
        cancel()
        this.sleepers.delete(end)
        done()
      }
      const cancel = this.reach.setTimer(end, milliseconds)
      this.sleepers.add(end)
    })
  }

  private mark(url: string, isFailing: boolean): void {
    const before = this.isStuck()
    if (isFailing) this.failing.add(url)
    else this.failing.delete(url)
    if (before !== this.isStuck()) for (const listener of [...this.listeners]) listener()
  }
}
