import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { violations } from './harness/axe'
import { bytesOf, inTab } from './harness/browser'
import { temporaryFolder } from './harness/files'
import { film, News } from './harness/news'
import { time } from './harness/playing'
import { Server } from './harness/server'

type Items = { items: { id: string; name: string }[] }

const folder = temporaryFolder()
/** A second of the demo's film with other codecs, as ffmpeg takes them. */
function made(name: string, ...codecs: string[]): string {
  const path = join(folder.path, name)
  execFileSync('ffmpeg', ['-v', 'error', '-t', '1', '-i', film, '-f', 'lavfi', '-t', '1', '-i', 'sine=frequency=440', '-map', '0:v', '-map', '1:a', ...codecs, path])
  return path
}

describe('the player', () => {
  const files = [
    made('Show.S01E01.mkv', '-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none', '-c:a', 'dca', '-strict', '-2', '-ac', '2'),
    made('Show.S01E02.mkv', '-c:v', 'copy', '-c:a', 'dca', '-strict', '-2', '-ac', '2'),
    made('Show.S01E03.avi', '-c:v', 'mpeg4', '-c:a', 'ac3'),
    join(folder.path, 'Show.S01E04.mp4'),
  ]
  copyFileSync(film, files[3] ?? '')
  const news = News.around({ files })
  const server = Server.around(() => ({ env: news.settings() }))
  const ids = new Map<string, string>()
  const open = (name: string) => `/play/${ids.get(name) ?? ''}`
  beforeAll(async () => {
    await server.add('Show', news.nzb)
    const { items } = await server.call<Items>('GET', 'api/v1/files?path=/content/movies/Show')
    for (const { id, name } of items) ids.set(name, id)
    return () => folder.remove()
  })

  it.each([
    ['Show.S01E01.mkv', 'Your browser cannot play this file: it has no decoder for HEVC and DTS.', ['✗ HEVC · 640 × 360', '✗ DTS · 2 ch']],
    ['Show.S01E02.mkv', 'The picture plays, the sound does not: it is DTS, and your browser has no decoder for that.', ['✓ H.264 · 640 × 360', '✗ DTS · 2 ch']],
    ['Show.S01E03.avi', 'Your browser does not read AVI files.', null],
  ])('says at once what of %s the browser cannot play, and offers players', async (name, message, tracks) => {
    await inTab(server, { as: 'administrator', path: open(name) }, async ({ page }) => {
      await page.getByRole('alert').getByText(message).waitFor()
      expect(await page.locator('video').count()).toBe(0)
      const list = page.getByRole('list', { name: 'Its container and codecs' }).getByRole('listitem')
      if (tracks !== null) expect((await list.allTextContents()).map((line) => line.replace(/ · (eng|und)/, ''))).toEqual(tracks)
      await page.getByRole('button', { name: 'Open in…' }).click()
      await page.getByRole('menuitem', { name: 'VLC' }).waitFor()
      expect(await violations(page)).toEqual([])
      // What a player gets is the file.
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Playlist (.m3u8)' }).click()])
      const text = (await bytesOf(download)).toString('utf8')
      const address = text.split(/\r?\n/).find((line) => line.startsWith('http')) ?? ''
      const answer = await fetch(address, { headers: { Range: 'bytes=0-3' } })
      expect([answer.status, decodeURIComponent(new URL(address).pathname)]).toEqual([206, expect.stringContaining(name)])
    })
  })

  it('tries on demand what the browser plays in part', async () => {
    await inTab(server, { as: 'administrator', path: open('Show.S01E02.mkv') }, async ({ page }) => {
      await page.getByRole('button', { name: 'Try anyway' }).click()
      await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= HTMLMediaElement.HAVE_CURRENT_DATA)
      await page.getByRole('link', { name: /^Next: Show\.S01E03\.avi/ }).click()
      await page.getByRole('alert').getByText(/AVI/).waitFor()
      await page.getByRole('link', { name: /^Next: Show\.S01E04\.mp4/ }).click()
      await page.getByRole('heading', { level: 1, name: 'Show.S01E04.mp4' }).waitFor()
      await page.locator('video').waitFor()
      await page.getByRole('link', { name: /^Previous: Show\.S01E03\.avi/ }).waitFor()
      expect(await page.getByRole('link', { name: /^Next/ }).count()).toBe(0)
    })
  })

  it('is led by keys', async () => {
    await inTab(server, { as: 'administrator', path: open('Show.S01E04.mp4') }, async ({ page }) => {
      const is = async (what: object) => expect.poll(async () => page.evaluate(() => {
        const video = document.querySelector('video')
        return video === null ? {} : { paused: video.paused, muted: video.muted, volume: video.volume, speed: video.playbackRate, ready: video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA }
      }), { timeout: 60_000 }).toMatchObject(what)
      await is({ ready: true })
      // Browsers begin by themselves or not.
      await page.evaluate(() => document.querySelector('video')?.pause())
      await is({ paused: true })
      await page.keyboard.press('Space')
      await page.waitForFunction((from) => {
        const video = document.querySelector('video')
        return video !== null && !video.paused && video.currentTime > from
      }, await time(page))
      await page.keyboard.press('Space')
      await is({ paused: true })
      const at = await time(page)
      await page.keyboard.press('ArrowRight')
      await until(page, at + 5)
      await page.keyboard.press('ArrowRight')
      await until(page, at + 10)
      await page.keyboard.press('ArrowLeft')
      await until(page, at + 5)
      await page.keyboard.press('PageUp')
      await until(page, at + 65)
      await page.keyboard.press('Home')
      await until(page, 0)

      expect(await page.evaluate(() => document.querySelector('video')?.volume)).toBe(1)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.getByText(/^Volume 90\s?%$/).waitFor()
      await is({ volume: 0.9 })
      await page.keyboard.press('m')
      await is({ muted: true })
      await page.getByRole('button', { name: 'Unmute' }).waitFor()
      await page.keyboard.press('m')
      await is({ muted: false })
      await page.keyboard.press('>')
      await page.getByText('Speed 1.25×').waitFor()
      await is({ speed: 1.25 })
      await page.keyboard.press('<')
      await is({ speed: 1 })

      await page.keyboard.press('f')
      await page.waitForFunction(() => document.fullscreenElement !== null)
      await page.getByRole('button', { name: 'Leave full screen' }).waitFor()
      await page.keyboard.press('f')
      await page.waitForFunction(() => document.fullscreenElement === null)
    })
  })

  it('leads back from a file that is gone', async () => {
    await inTab(server, { as: 'administrator', path: '/play/999999', allow: [/status of 404/] }, async ({ page }) => {
      await page.getByRole('alert').getByRole('link', { name: 'To the files' }).click()
      await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
    })
  })

  it('shows figures of the server and of the browser over the picture', async () => {
    await inTab(server, { as: 'administrator', path: open('Show.S01E04.mp4') }, async ({ page }) => {
      await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= HTMLMediaElement.HAVE_CURRENT_DATA)
      await page.keyboard.press('i')
      const stats = page.getByRole('region', { name: 'Stream statistics' })
      const figure = (name: string) => stats.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd')
      await figure('Resolution').getByText('640 × 360').waitFor()
      await figure('First byte').getByText(/\d.* m?s/).waitFor()
      await figure('First frame').getByText(/\d.* m?s/).waitFor()
      await figure('Fetched ahead').getByText(/^\d/).waitFor()
      await figure('Requests in flight').getByText(/^\d+$/).waitFor()
      await figure('Dropped frames').getByText(/^\d+ of \d+$/).waitFor()
      expect(await violations(page)).toEqual([])
      // While it plays the controls go after three seconds, which a slow browser may need for one click.
      await page.evaluate(() => document.querySelector('video')?.pause())
      await page.getByRole('button', { name: 'Stream statistics' }).click()
      await stats.waitFor({ state: 'detached' })
    })
  })
})

const until = async (page: Page, wanted: number) => page.waitForFunction((at) => {
  const video = document.querySelector('video')
  return video !== null && !video.seeking && Math.abs(video.currentTime - at) < 0.01
}, wanted)
