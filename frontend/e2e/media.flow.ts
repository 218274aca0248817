import { execFileSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeBrowser, inTab } from './harness/browser'
import { temporaryFolder } from './harness/files'
import { plays } from './harness/playing'
import { film, News } from './harness/news'
import { Server } from './harness/server'

describe('a library', () => {
  const folder = temporaryFolder()
  let news: News
  let server: Server
  beforeAll(async () => {
    const files = [join(folder.path, 'Show.S01E01.mp4'), join(folder.path, 'Show.S01E01.en.srt'), join(folder.path, 'Show.S01E02.mp4')]
    copyFileSync(film, files[0] ?? '')
    writeFileSync(files[1] ?? '', '1\r\n00:00:00,000 --> 00:00:30,000\r\nSalt & pepper\r\n\r\n2\r\n00:00:40,000 --> 00:00:50,000\r\nThe end\r\n')
    copyFileSync(film, files[2] ?? '')
    news = await News.start({ files })
    server = await Server.start({ users: ['administrator', 'viewer'], env: news.settings() })
    await server.add('Show', news.nzb)
  })
  afterAll(async () => {
    await closeBrowser()
    await server.stop()
    await news.stop()
    folder.remove()
  })

  it('shows the subtitles beside a film, moved by a key, and plays the next one', async () => {
    await inTab(server, { as: 'administrator', path: '/files?path=/content/movies/Show' }, async ({ page }) => {
      await page.getByRole('grid').getByRole('link', { name: 'Show.S01E01.mp4' }).click()
      await page.getByRole('complementary').getByRole('link', { name: 'Play' }).click()
      await plays(page, 0.2)
      await page.keyboard.press('c')
      const cue = async () => page.waitForFunction(() => {
        const cues = document.querySelector('video')?.textTracks[0]?.activeCues
        return cues?.length === 1 ? (cues[0] as VTTCue).text : null
      }).then(async (handle) => handle.jsonValue())
      expect(await cue()).toBe('Salt &amp; pepper')
      await page.keyboard.press('h')
      await page.getByText('Subtitles +0.1 s').waitFor()
      await page.waitForFunction(() => document.querySelector('video')?.textTracks[0]?.cues?.[1]?.startTime === 40.1)
      await page.keyboard.press('n')
      await page.getByRole('heading', { name: 'Show.S01E02.mp4' }).waitFor()
      await plays(page, 0.2)
      await page.keyboard.press('p')
      await page.getByRole('heading', { name: 'Show.S01E01.mp4' }).waitFor()
      await plays(page, 0.2)
      await page.keyboard.press('End')
      const next = page.getByRole('group', { name: 'Up next' })
      await next.getByText('Show.S01E02.mp4').waitFor()
      await next.getByRole('button', { name: 'Play now' }).click()
      await page.getByRole('heading', { name: 'Show.S01E02.mp4' }).waitFor()
      await plays(page, 0.2)
    })
  })

  it('gives a folder as a .zip that is whole', async () => {
    await inTab(server, { as: 'viewer', path: '/files?path=/content/movies/Show' }, async ({ page }) => {
      await page.getByRole('button', { name: 'Details of this folder' }).click()
      const began = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download as .zip' }).click()
      const path = join(folder.path, 'Show.zip')
      await (await began).saveAs(path)
      const said = execFileSync('unzip', ['-t', path], { encoding: 'utf8' })
      expect(said).toContain('No errors detected')
      expect(said).toContain('Show.S01E02.mp4')
    })
  })

  it('lets a viewer look and play, and change nothing', async () => {
    await inTab(server, { as: 'viewer', path: '/files?path=/content/movies/Show' }, async ({ page }) => {
      await page.getByRole('grid').getByRole('link', { name: 'Show.S01E01.mp4' }).click()
      const pane = page.getByRole('complementary')
      await pane.getByRole('link', { name: 'Play' }).waitFor()
      expect(await pane.getByRole('button', { name: /Rename|Move|Delete/ }).count()).toBe(0)
      expect(await page.getByRole('checkbox').count()).toBe(0)
    })
  })

  it('renames a file', async () => {
    await inTab(server, { as: 'administrator', path: '/files?path=/content/movies/Show' }, async ({ page }) => {
      await page.getByRole('grid').getByRole('link', { name: 'Show.S01E02.mp4' }).click()
      await page.getByRole('complementary').getByRole('button', { name: 'Rename' }).click()
      await page.getByLabel('New name').fill('Show.S01E02.Renamed.mp4')
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
      await page.getByRole('grid').getByRole('link', { name: 'Show.S01E02.Renamed.mp4' }).waitFor()
      await page.getByRole('complementary').getByRole('heading', { name: 'Show.S01E02.Renamed.mp4' }).waitFor()
    })
  })

  it('deletes a file after asking by its name', async () => {
    await inTab(server, { as: 'administrator', path: '/files?path=/content/movies/Show' }, async ({ page }) => {
      const row = page.getByRole('grid').getByRole('row', { name: /Show\.S01E01\.en\.srt/ })
      await row.getByRole('checkbox').click()
      await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
      const question = page.getByRole('dialog', { name: 'Delete Show.S01E01.en.srt?' })
      await question.getByRole('button', { name: 'Delete' }).click()
      await row.waitFor({ state: 'detached' })
    })
  })
})
