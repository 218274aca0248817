import { spawn, type ChildProcess } from 'node:child_process'

/** A program that this run has started; ends with it, by its own process id. */
export class Program {
  private text = ''
  private readonly ended: Promise<number | null>
  private readonly listeners = new Set<() => void>()
  private constructor(private readonly child: ChildProcess, readonly name: string) {
    const add = (chunk: Buffer) => {
      this.text += chunk.toString()
      for (const listener of this.listeners) listener()
    }
    child.stdout?.on('data', add)
    child.stderr?.on('data', add)
    this.ended = new Promise((done) => child.once('close', (code) => done(code)))
    child.once('close', () => {
      for (const listener of this.listeners) listener()
    })
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    child.once('close', () => process.off('exit', kill))
  }

  static start(name: string, command: string, args: readonly string[], env: Record<string, string> = {}): Program {
    return new Program(spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } }), name)
  }

  /** All that it has written so far. */
  get output(): string {
    return this.text
  }

  /** Waits for a line; its groups. Throws with the output when the program ends before, or after 60 s. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    let listener: (() => void) | undefined
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise((found, failed) => {
        listener = () => {
          const match = pattern.exec(this.text)
          if (match !== null) found(match)
          else if (this.child.exitCode !== null || this.child.signalCode !== null) failed(new Error(`${this.name} ended:\n${this.text}`))
        }
        timer = setTimeout(() => failed(new Error(`${this.name} did not say ${String(pattern)} within 120 s:\n${this.text}`)), 120_000)
        this.child.once('error', failed)
        this.listeners.add(listener)
        listener()
      })
    } finally {
      if (listener !== undefined) this.listeners.delete(listener)
      clearTimeout(timer)
    }
  }

  /** Ends it: SIGTERM, and SIGKILL after ten seconds. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal)
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 10_000)
    await this.ended
    clearTimeout(timer)
  }
}
