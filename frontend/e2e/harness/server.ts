import { afterAll, beforeAll } from 'vitest'
import { closeBrowser } from './browser'
import { built, freePort, temporaryFolder } from './files'
import { people, type Role } from './people'
import { Program } from './process'

export { people, type Role }

export const apiKey = 'e2e-key-with-all-rights'

type Options = {
  /** With the demo's films and no provider of one's own; nobody has to sign in. */
  demo?: boolean
  /** Which of `people` there are; none: the server waits for its set-up. Administrator first. */
  users?: Role[]
  /** Below which path it is, such as /films. */
  urlBase?: string
  /** More settings: NzbDav__… */
  env?: Record<string, string>
}

/** The built server with a folder and a port of its own. */
export class Server {
  private program: Program | null = null
  private readonly folder = temporaryFolder()
  private port = 0
  private options: Options = {}
  private constructor() {}

  static async start(options: Options = {}): Promise<Server> {
    const server = new Server()
    await server.first(options)
    return server
  }

  /** One for all flows around the call: started before them, and stopped after them with the browser. `options` is asked for when it starts. */
  static around(options: Options | (() => Options) = {}): Server {
    const server = new Server()
    beforeAll(async () => server.first(typeof options === 'function' ? options() : options))
    afterAll(async () => {
      await closeBrowser()
      await server.stop()
    })
    return server
  }

  private async first(options: Options): Promise<void> {
    this.options = options
    this.port = await freePort()
    await this.begin()
    const [first, ...others] = options.users ?? (options.demo === true ? [] : ['administrator'])
    if (first !== undefined) await this.call('POST', 'api/v1/setup', { token: this.setupToken, ...people[first] })
    for (const role of others) await this.call('POST', 'api/v1/users', { ...people[role], role })
  }

  /** Where the page is; ends with a slash. */
  get url(): string {
    return `http://127.0.0.1:${this.port}${this.options.urlBase ?? ''}/`
  }

  /** The port it listens on, on loopback. */
  get listens(): number {
    return this.port
  }

  /** What the log's link to the set-up carries. */
  get setupToken(): string {
    return /setup\?token=([0-9a-f]+)/.exec(this.log)?.[1] ?? ''
  }

  /** What it has written since it was started last. */
  get log(): string {
    return this.program?.output ?? ''
  }

  /** Calls the API with all rights; throws for a status that is no success. `body` goes as JSON. */
  async call<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: { 'X-Api-Key': apiKey, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  /** Puts an .nzb in and waits until it is a folder below /content. */
  async add(name: string, nzb: Buffer, category = 'movies'): Promise<void> {
    const form = new FormData()
    form.set('name', new Blob([new Uint8Array(nzb)]), `${name}.nzb`)
    const added = await fetch(new URL(`api?mode=addfile&cat=${category}&output=json&apikey=${apiKey}`, this.url), { method: 'POST', body: form })
    if (!added.ok) throw new Error(`addfile: ${added.status}`)
    await this.until(async () => {
      const history = await this.call<{ history: { slots: { name: string; status: string; fail_message: string }[] } }>('GET', 'api?mode=history&output=json')
      const slot = history.history.slots.find((one) => one.name === name)
      if (slot?.status === 'Failed') throw new Error(slot.fail_message)
      return slot?.status === 'Completed'
    }, `${name} is imported`)
  }

  /** Asks until it is so, for 90 s. */
  async until(so: () => Promise<boolean>, what: string): Promise<void> {
    const end = Date.now() + 90_000
    while (!(await so())) {
      if (Date.now() > end) throw new Error(`not within 90 s: ${what}\n${this.log}`)
      await new Promise((next) => setTimeout(next, 50))
    }
  }

  /** Starts it again on the same folder and port; call after `halt`. */
  async begin(): Promise<void> {
    const { demo = false, urlBase, env = {} } = this.options
    this.program = Program.start('nzbdav', built('backend', 'nzbdav'), [
      '--config', this.folder.path, '--urls', `http://127.0.0.1:${this.port}`, ...(demo ? ['--demo'] : []),
    ], {
      NzbDav__Api__Key: apiKey, NzbDav__Torrents__Port: '0', NzbDav__Torrents__ListenAddress: '127.0.0.1', NzbDav__Torrents__Dht: 'false', NzbDav__Torrents__LocalDiscovery: 'false',
      ...(urlBase === undefined ? {} : { NzbDav__UrlBase: urlBase }), ...env,
    })
    await this.program.says(demo ? /The demo is ready/ : /^NzbDav serves WebDAV at/m)
  }

  /** Stops it and keeps its folder. */
  async halt(): Promise<void> {
    await this.program?.stop()
    this.program = null
  }

  /** Stops it and removes its folder. */
  async stop(): Promise<void> {
    await this.halt()
    this.folder.remove()
  }
}
