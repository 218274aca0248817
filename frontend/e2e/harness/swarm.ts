import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { built, temporaryFolder } from './files'
import { Program } from './process'

type Options = { seeders?: number; size?: string; pieceLength?: string; name?: string; rate?: string }
type Ready = { ports: number[]; tracker: string; magnet: string; hash: string }

/** Truthful seeders of one torrent with their tracker, on loopback. */
export class Swarm {
  private program: Program | null = null
  private ready: Ready = { ports: [], tracker: '', magnet: '', hash: '' }
  private readonly folder = temporaryFolder()
  private constructor(private readonly options: Options) {}

  /** One for all flows around the call: started before them, and stopped after them. */
  static around(options: Options = {}): Swarm {
    const swarm = new Swarm(options)
    beforeAll(async () => swarm.start())
    afterAll(async () => swarm.stop())
    return swarm
  }

  get torrent(): Buffer {
    return readFileSync(join(this.folder.path, 'swarm.torrent'))
  }

  get hash(): string {
    return this.ready.hash
  }

  get tracker(): string {
    return this.ready.tracker
  }

  /** Ports of the seeders. */
  get ports(): number[] {
    return this.ready.ports
  }

  private async start(): Promise<void> {
    const { seeders = 2, size = '8M', pieceLength = '256K', name = 'Swarm Film.mkv', rate = '0' } = this.options
    this.program = Program.start('mock swarm', built('tools/MockSwarm', 'nzbdav-mock-swarm'), [
      '--seeders', String(seeders), '--size', size, '--piece-length', pieceLength, '--name', name, '--rate', rate, '--torrent-out', join(this.folder.path, 'swarm.torrent'),
    ])
    const [line] = await this.program.says(/^\{.*"ready":true.*\}/m)
    this.ready = JSON.parse(line) as Ready
  }

  async stop(): Promise<void> {
    await this.program?.stop()
    this.folder.remove()
  }
}
