import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { built, freePort, repository, temporaryFolder } from './files'
import { Program } from './process'

/** The two demo films: a minute of test picture each. */
export const film = repository('backend/Host/Demo/Media/NzbDav Demo.mp4')

type Options = { files?: string[]; username?: string; password?: string; maxConnections?: number; options?: string[] }

/** A truthful Usenet provider on loopback, with one post. */
export class News {
  private program: Program | null = null
  private readonly folder = temporaryFolder()
  private listens = 0
  private constructor(private readonly options: Options) {}

  /** Starts one that holds `files` (the demo's film if none are named; what `options` say if the list is empty) as one post. */
  static async start(options: Options = {}): Promise<News> {
    const news = new News(options)
    await news.start()
    return news
  }

  /** One for all flows around the call: started before them, and stopped after them. */
  static around(options: Options = {}): News {
    const news = new News(options)
    beforeAll(async () => news.start())
    afterAll(async () => news.stop())
    return news
  }

  get port(): number {
    return this.listens
  }

  /** The .nzb of its post. */
  get nzb(): Buffer {
    return readFileSync(join(this.folder.path, 'post.nzb'))
  }

  /** Settings that make it provider `number`. */
  settings(number = 0): Record<string, string> {
    const prefix = `NzbDav__Usenet__Providers__${number}__`
    return {
      [`${prefix}Name`]: 'mock', [`${prefix}Host`]: '127.0.0.1', [`${prefix}Port`]: String(this.port), [`${prefix}UseTls`]: 'false',
      ...(this.options.username === undefined ? {} : { [`${prefix}Username`]: this.options.username, [`${prefix}Password`]: this.options.password ?? '' }),
    }
  }

  /** Serves, again after `die` on the same port. */
  async start(): Promise<void> {
    const { files = [film], username, password, maxConnections, options = [] } = this.options
    if (this.listens === 0) this.listens = await freePort()
    this.program = Program.start('mock provider', built('tools/MockUsenet', 'nzbdav-mock-usenet'), [
      '--port', String(this.port), '--nzb-out', join(this.folder.path, 'post.nzb'), ...(files.length > 0 ? ['--file', ...files] : []), '--article-size', '100K',
      ...(username === undefined ? [] : ['--username', username, '--password', password ?? '']),
      ...(maxConnections === undefined ? [] : ['--max-connections', String(maxConnections)]), ...options,
    ])
    await this.program.says(/^\{.*"ports":\[/m)
  }

  /** Is gone at once, with all its connections. */
  async die(): Promise<void> {
    await this.program?.stop('SIGKILL')
    this.program = null
  }

  async stop(): Promise<void> {
    await this.program?.stop()
    this.folder.remove()
  }
}
