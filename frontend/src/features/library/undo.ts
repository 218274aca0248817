/** Milliseconds in which a deletion can be taken back. */
export const UndoTime = 8000

/**
 * Things that are done in a while unless they are taken back. Leaving the page within the time does them at once; closing the browser leaves them undone.
 * Not thread-safe: lives in the page.
 */
export class Undo {
  private readonly waiting = new Map<string, { timer: ReturnType<typeof setTimeout>; act: () => void }>()

  /** @param changed Called with the keys that wait, whenever these are others. */
  constructor(private readonly changed: (keys: ReadonlySet<string>) => void) {}

  /** Does something after the time. */
  later(key: string, act: () => void): void {
    this.back(key)
    const timer = setTimeout(() => this.finish(key), UndoTime)
    this.waiting.set(key, { timer, act })
    this.tell()
  }

  /** Takes something back; nothing once it was done. */
  back(key: string): void {
    clearTimeout(this.waiting.get(key)?.timer)
    if (this.waiting.delete(key)) this.tell()
  }

  /** Does all that waits now. */
  flush(): void {
    for (const key of [...this.waiting.keys()]) this.finish(key)
  }

  private finish(key: string): void {
    const act = this.waiting.get(key)?.act
    this.back(key)
    act?.()
  }

  private tell(): void {
    this.changed(new Set(this.waiting.keys()))
  }
}
