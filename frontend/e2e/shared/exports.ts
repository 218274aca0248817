import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Status } from '~/api/types'
import { violations } from '../harness/axe'
import { inTab } from '../harness/browser'
import { settled } from '../harness/ready'
import type { Server } from '../harness/server'

const shots = process.env.NZBDAV_SHOTS

/** Settings of two folders below `folder`: one that is there, and one that is not. */
export function exportSettings(folder: string): Record<string, string> {
  mkdirSync(join(folder, 'movies'))
  return { NzbDav__Export__Strm: `movies=${join(folder, 'movies')}`, NzbDav__Export__Symlinks: `tv=${away(folder)}`, NzbDav__Export__Nfo: 'true', NzbDav__Strm__Url: 'http://nas:8080' }
}

const away = (folder: string) => join(folder, 'a-mount-that-is-away/of-a-disk-with-a-long-name/tv')

export function exports(server: Server, folder: string): void {
  describe('folders that are kept in step', () => {
    it.each([['light', 1440, 'en-GB'], ['dark', 1440, 'de-DE'], ['light', 390, 'de-DE'], ['dark', 390, 'en-GB']] as const)('are on the overview with what is wrong: %s, %i px, %s', async (scheme, width, lang) => {
      await server.until(async () => (await server.call<Status>('GET', 'api/v1/status')).exports.every((one) => one.state !== 'waiting'), 'both were looked at')
      await inTab(server, { as: 'administrator', path: '/', scheme, width, lang }, async ({ page }) => {
        await settled(page)
        const card = page.getByRole('region', { name: lang === 'de-DE' ? 'Bibliotheksordner' : 'Library folders' })
        await card.getByText(lang === 'de-DE' ? 'Aktuell' : 'Up to date', { exact: true }).waitFor()
        await card.getByRole('status').getByText(`${away(folder)} does not exist.`).waitFor()
        await page.getByRole('region', { name: lang === 'de-DE' ? 'Braucht dich' : 'Needs attention' }).getByText(lang === 'de-DE' ? 'Der Bibliotheksordner von tv ist nicht aktuell' : 'The library folder of tv is not up to date').waitFor()
        if (shots !== undefined) {
          mkdirSync(shots, { recursive: true })
          await page.screenshot({ path: join(shots, `exports-${width}-${scheme}.png`), fullPage: true })
        }
        const found = await violations(page)
        if (found.length > 0) throw new Error(found.join('\n'))
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      })
    })
  })
}
