import { get, type IncomingMessage } from 'node:http'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './harness/axe'
import { inTab } from './harness/browser'
import { News } from './harness/news'
import { Server } from './harness/server'

/** A player that takes as much as it is told to, and no more. */
class Reader {
  private constructor(private readonly answer: IncomingMessage) {
    answer.on('error', () => undefined)
  }

  static async open(url: URL, from: number, program: string): Promise<Reader> {
    return new Promise((done, failed) => {
      get(url, { headers: { 'User-Agent': program, Range: `bytes=${from}-` } }, (answer) => done(new Reader(answer.pause()))).on('error', failed)
    })
  }

  get status(): number {
    return this.answer.statusCode ?? 0
  }

  /** Takes all the rest and counts its bytes; throws when the server has broken it off. */
  async rest(): Promise<number> {
    let count = 0
    for await (const part of this.answer) count += (part as Buffer).length
    return count
  }

  close(): void {
    this.answer.destroy()
  }
}

describe('streams on the overview', () => {
  // More than what fits into the buffers between the server and a player that does not read.
  const news = News.around({ files: [], options: ['--size', '48', '--name', 'Big Film.mkv'] })
  const server = Server.around(() => ({ users: ['administrator', 'viewer'], env: news.settings() }))
  let url: URL
  let size: number
  const readers: Reader[] = []
  const play = async (from = 0, program = 'VLC/3.0.21 LibVLC/3.0.21') => {
    const reader = await Reader.open(url, from, program)
    readers.push(reader)
    return reader
  }
  beforeAll(async () => {
    await server.add('Film', news.nzb)
    const { items } = await server.call<{ items: { id: string; size: number }[] }>('GET', 'api/v1/files/search?query=big%20mkv')
    const link = await server.call<{ path: string }>('POST', `api/v1/files/${items[0]?.id ?? ''}/link`, { hours: null })
    url = new URL(link.path, server.url)
    size = items[0]?.size ?? 0
  })
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close()
  })

  it('are cards with file, player, address and position, until one ends them', async () => {
    await inTab(server, { as: 'administrator', path: '/' }, async ({ page }) => {
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      expect(await page.getByRole('article').count()).toBe(0)
      const reader = await play(size >> 1)
      expect(reader.status).toBe(206)
      const card = page.getByRole('article', { name: 'Big Film.mkv' })
      await card.getByText('VLC at 127.0.0.1').waitFor()
      await card.getByText(/^5\d\s?%|^6\d\s?%/).waitFor()
      const share = Number(await card.getByRole('progressbar', { name: 'Position' }).getAttribute('aria-valuenow'))
      const [stream] = (await server.call<{ streams: { position: number }[] }>('GET', 'api/v1/streams')).streams
      expect(share).toBeGreaterThanOrEqual(50)
      expect(stream?.position).toBeGreaterThan(size >> 1)
      expect(stream?.position).toBeLessThan(size)
      await page.getByRole('banner').getByRole('link', { name: '1 stream' }).waitFor()
      expect(await violations(page)).toEqual([])

      await card.getByRole('button', { name: 'End the stream of Big Film.mkv' }).click()
      await card.waitFor({ state: 'detached' })
      await expect(reader.rest()).rejects.toThrow('aborted')
      await page.getByText('Nothing is playing now.').waitFor()
      expect(await server.call('GET', 'api/v1/streams')).toEqual({ streams: [] })
      // The player asks again by itself, as players do: it is refused for a while.
      expect((await play()).status).toBeGreaterThanOrEqual(400)
    })
  })

  it('go on for a player beside, whose card leads to its file', async () => {
    const reader = await play(size - (24 << 20), 'Infuse-Direct/8.1')
    await inTab(server, { as: 'viewer', path: '/' }, async ({ page }) => {
      const card = page.getByRole('article', { name: 'Big Film.mkv' })
      await card.waitFor()
      // A viewer looks on: at the last minutes too, and may keep them.
      expect(await card.getByRole('button', { name: 'End the stream of Big Film.mkv' }).count()).toBe(0)
      await card.getByRole('button', { name: 'Last minutes of Big Film.mkv' }).click()
      await card.getByText(/Requested .* from .* on, first byte after/).first().waitFor()
      await card.getByText(/: asked for \d+ articles?; usually/).waitFor()
      expect(await violations(page)).toEqual([])
      const saved = page.waitForEvent('download')
      await card.getByRole('link', { name: 'Debug trace of Big Film.mkv' }).click()
      expect((await saved).suggestedFilename()).toMatch(/^nzbdav-streams-.*\.jsonl\.gz$/)
      await card.getByRole('link', { name: 'Big Film.mkv', exact: true }).click()
      await page.getByRole('complementary').getByRole('heading', { name: 'Big Film.mkv' }).waitFor()
    })
    expect(await reader.rest()).toBe(24 << 20)
  })
})
