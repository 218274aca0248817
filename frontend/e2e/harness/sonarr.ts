import { randomBytes } from 'node:crypto'
import { Web, type Answer } from './web'

type Field = { name: string; value?: unknown }
export type Client = { id: number; name: string; enable: boolean; implementation: string; protocol: string; fields: Field[] }

/**
 * Sonarr's API v3 as far as a download client is registered by it: 401 without the right key, a page of HTML for what is outside the API, and a definition of SABnzbd that is
 * tested by calling it, as Sonarr does.
 */
export class Sonarr {
  readonly key = randomBytes(16).toString('hex')
  readonly clients: Client[] = []
  private web: Web | null = null
  private constructor() {}

  static async start(): Promise<Sonarr> {
    const sonarr = new Sonarr()
    sonarr.web = await Web.start(async (request, { pathname }, body) => {
      if (!pathname.startsWith('/api/')) return { headers: { 'Content-Type': 'text/html' }, text: '<!doctype html><title>Sonarr</title>' }
      if (request.headers['x-api-key'] !== sonarr.key) return { status: 401 }
      return sonarr.answer(`${request.method ?? ''} ${pathname.replace('/api/v3/', '')}`, body === '' ? null : (JSON.parse(body) as Client))
    })
    return sonarr
  }

  get url(): string {
    return this.web?.url ?? ''
  }

  /** A field of a client that it holds. */
  static field(client: Client | undefined, name: string): unknown {
    return client?.fields.find((field) => field.name === name)?.value
  }

  async stop(): Promise<void> {
    await this.web?.stop()
  }

  private async answer(call: string, client: Client | null): Promise<Answer> {
    switch (call) {
      case 'GET system/status': return { json: { appName: 'Sonarr', instanceName: 'Sonarr', version: '4.0.15.2941', urlBase: '' } }
      case 'GET downloadclient': return { json: this.clients }
      case 'GET downloadclient/schema': return { json: [schema('QBittorrent', 'torrent'), schema('Sabnzbd', 'usenet')] }
      case 'GET config/downloadclient': return { json: { id: 1, enableCompletedDownloadHandling: true, autoRedownloadFailed: true } }
      case 'GET remotepathmapping': return { json: [] }
    }
    const [, id] = /^(?:POST|PUT) downloadclient\/?(test|\d+)?$/.exec(call) ?? [call]
    if (client === null || id === call) return { status: 404, json: { message: 'NotFound' } }
    const wrong = await (client.implementation === 'QBittorrent' ? faultOfTorrents : faultOfPosts)(client)
    if (wrong !== null) return { status: 400, json: [{ isWarning: false, severity: 'error', ...wrong }] }
    if (id === 'test') return { json: {} }
    const saved = { ...client, id: id === undefined ? this.clients.length + 1 : Number(id) }
    const at = this.clients.findIndex((one) => one.id === saved.id)
    if (at >= 0) this.clients[at] = saved
    else this.clients.push(saved)
    return { status: at >= 0 ? 202 : 201, json: saved }
  }
}

function schema(implementation: string, protocol: string): Client {
  return {
    id: 0, name: '', enable: true, implementation, protocol,
    fields: [
      { name: 'host', value: 'localhost' }, { name: 'port', value: 8080 }, { name: 'useSsl', value: false }, { name: 'urlBase' }, { name: 'apiKey' }, { name: 'username' }, { name: 'password' },
      { name: 'tvCategory', value: 'tv' }, { name: 'recentTvPriority', value: -100 }, { name: 'olderTvPriority', value: -100 },
    ],
  }
}

type Fault = { propertyName: string; errorMessage: string }

/** What Sonarr's test of a qBittorrent finds: it signs in. */
async function faultOfTorrents(client: Client): Promise<Fault | null> {
  const value = (name: string) => {
    const told = Sonarr.field(client, name)
    return typeof told === 'string' || typeof told === 'number' ? String(told) : ''
  }
  try {
    const answer = await fetch(`http://${value('host')}:${value('port')}${value('urlBase')}/api/v2/auth/login`, {
      method: 'POST', body: new URLSearchParams({ username: value('username'), password: value('password') }),
    })
    return (await answer.text()) === 'Ok.' ? null : { propertyName: 'Username', errorMessage: 'Authentication failure' }
  } catch {
    return { propertyName: 'Host', errorMessage: 'Unable to connect to qBittorrent' }
  }
}

/** What Sonarr's test of a SABnzbd finds: it asks for the version, the configuration and with it for the category. */
async function faultOfPosts(client: Client): Promise<Fault | null> {
  const value = (name: string) => {
    const told = Sonarr.field(client, name)
    return typeof told === 'string' ? told : ''
  }
  const port = Sonarr.field(client, 'port')
  if (typeof port !== 'number') return { propertyName: 'Port', errorMessage: 'The port must be a number' }
  const ask = async (mode: string): Promise<unknown> => {
    const query = new URLSearchParams({ mode, apikey: value('apiKey'), output: 'json' })
    const answer = await fetch(`http://${value('host')}:${port}${value('urlBase')}/api?${query.toString()}`)
    return JSON.parse(await answer.text()) as unknown
  }
  try {
    if (typeof (await ask('version') as { version?: unknown }).version !== 'string') return { propertyName: 'Host', errorMessage: 'Unknown Version' }
    const config = (await ask('get_config')) as { error?: string; config?: { categories?: { name: string }[] } }
    if (config.config === undefined) return { propertyName: 'APIKey', errorMessage: 'API Key Incorrect' }
    const known = config.config.categories?.some(({ name }) => name === value('tvCategory')) ?? false
    return known ? null : { propertyName: 'TvCategory', errorMessage: 'Category does not exist' }
  } catch {
    return { propertyName: 'Host', errorMessage: 'Unable to connect to SABnzbd' }
  }
}
