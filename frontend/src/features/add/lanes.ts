/** Runs work in order, some at once. */
export class Lanes {
  private readonly waiting: (() => Promise<void>)[] = []
  private running = 0

  /** @param most How many run at once. @param idle Called whenever the last has ended. */
  constructor(private readonly most: number, private readonly idle: () => void) {}

  /** Takes work that never rejects. */
  add(work: () => Promise<void>): void {
    this.waiting.push(work)
    this.pump()
  }

  private pump(): void {
    while (this.running < this.most) {
      const work = this.waiting.shift()
      if (work === undefined) break
      this.running++
      void work().finally(() => {
        this.running--
        this.pump()
        if (this.running === 0) this.idle()
      })
    }
  }
}
