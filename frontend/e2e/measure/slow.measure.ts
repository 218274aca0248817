import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { temporaryFolder } from '../harness/files'
import { News } from '../harness/news'
import { Server } from '../harness/server'
import { asked, say } from './figures'

const seconds = asked('NZBDAV_MEASURE_SECONDS', 60)

describe('two slow clients', () => {
  const folder = temporaryFolder()
  let news: News
  let server: Server
  beforeAll(async () => {
    const files = ['first.bin', 'second.bin'].map((name) => join(folder.path, name))
    for (const file of files) execFileSync('sh', ['-c', 'head -c 260000000 /dev/urandom > "$1"', 'sh', file])
    news = await News.start({ files })
    server = await Server.start({ env: news.settings() })
    await server.add('Slow', news.nzb)
  })
  afterAll(async () => {
    await server.stop()
    await news.stop()
    folder.remove()
  })

  it('read less than the line brings', async () => {
    const address = async (name: string) => {
      const { items } = await server.call<{ items: { id: string }[] }>('GET', `api/v1/files/search?query=${name}&kind=file`)
      const { path } = await server.call<{ path: string }>('POST', `api/v1/files/${items[0]?.id ?? ''}/link`, { hours: null })
      return new URL(path, server.url).href
    }
    const came = async () => (await server.call<{ providers: { bytes: number }[] }>('GET', 'api/v1/providers')).providers.reduce((sum, { bytes }) => sum + bytes, 0)
    const before = await came()
    const rates: [string, string][] = [['first', '1400k'], ['second', '900k']]
    const clients = await Promise.all(rates.map(async ([name, rate]) => spawn('curl', ['-s', '-o', '/dev/null', '--limit-rate', rate, await address(name)])))
    say('MB', 'read', 'came', 'ratio')
    for (let second = 15; second <= seconds; second += 15) {
      await new Promise((next) => setTimeout(next, 15_000))
      const { streams } = await server.call<{ streams: { sent: number }[] }>('GET', 'api/v1/streams')
      const read = streams.reduce((sum, { sent }) => sum + sent, 0)
      const all = (await came()) - before
      say(`after ${second} s`, Math.round(read / 1e6), Math.round(all / 1e6), all / read)
    }
    for (const client of clients) client.kill()
  })
})
