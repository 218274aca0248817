import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './harness/axe'
import { inTab } from './harness/browser'
import { Indexer } from './harness/indexer'
import { News } from './harness/news'
import { settled } from './harness/ready'
import { Server } from './harness/server'

const shots = process.env.NZBDAV_SHOTS
const require = createRequire(import.meta.url)

/** Stremio's own check of a manifest, and its own client of add-ons. */
const { lintManifest } = require('stremio-addon-linter') as { lintManifest: (manifest: unknown) => { valid: boolean; errors: { message: string }[]; warnings: { message: string }[] } }
type Addon = { manifest: unknown; get: (resource: string, type: string, id: string, extra?: Record<string, string>) => Promise<{ metas?: { id: string; name: string }[]; meta?: { name: string } | null; streams?: { url: string; description: string }[] }> }
const { detectFromURL } = require('stremio-addon-client') as { detectFromURL: (url: string) => Promise<{ addon?: Addon }> }

describe('what indexers list', () => {
  const news = News.around()
  const server = Server.around(() => ({ users: ['administrator', 'viewer'], env: { ...news.settings(), NzbDav__Search__TitlesUrl: 'off', NzbDav__Search__AnimeTitlesUrl: 'off' } }))
  let indexer: Indexer
  beforeAll(async () => {
    indexer = await Indexer.start()
    const nzb = news.nzb.toString('utf8')
    // The youngest copy is dead: no provider has its articles.
    indexer.add('Some.Film.2026.1080p.WEB', nzb.replace(/(<segment [^>]*>)/g, '$1gone-'))
    indexer.add('Some.Film.2026.1080p.WEB', nzb)
    indexer.add('Dead.Film.2025.720p', nzb.replace(/(<segment [^>]*>)/g, '$1away-'))
  })
  afterAll(async () => indexer.stop())

  it('is searched after an indexer was added on the page, and played by one click, past a dead copy', async () => {
    await inTab(server, { as: 'administrator', path: '/releases?q=film', allow: [/422.*api\/v1\/search/] }, async ({ page }) => {
      await page.getByText('No indexer is configured').waitFor()
      await page.getByRole('link', { name: 'To the settings' }).click()
      await page.getByRole('button', { name: 'Add an indexer' }).click()
      const field = (name: string) => page.locator(`input[data-setting="Search:Indexers:0:${name}"]`)
      await field('Url').fill(indexer.url)
      await field('ApiKey').fill(indexer.key)
      await field('Name').fill('Indexer')
      if (shots !== undefined) await page.screenshot({ path: `${shots}/indexers-1440.png`, fullPage: true })
      await page.getByRole('button', { name: 'Save' }).click()
      await server.until(async () => (await server.call<{ settings: { path: string; value: string | null }[] }>('GET', 'api/v1/settings')).settings.some(({ path, value }) => path === 'Search:Indexers:0:Name' && value === 'Indexer'), 'the indexer is saved')
      // Until the page knows it too, it would ask whether to leave.
      await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Releases' }).first().click()
      await page.getByLabel('Title, season, year').fill('film')
      await page.getByRole('button', { name: 'Search', exact: true }).last().click()
      await page.getByText('3 releases from 1 indexer').waitFor()
      const dead = page.locator('[data-release]').filter({ hasText: 'Dead.Film' })
      await dead.getByRole('button', { name: 'Check' }).click()
      await dead.getByText('cannot be played').waitFor()
      await settled(page)
      expect(await violations(page)).toEqual([])
      if (shots !== undefined) await page.screenshot({ path: `${shots}/releases-1440.png`, fullPage: true })
      await page.getByRole('button', { name: 'Play Some.Film' }).first().click()
      await page.waitForURL(/\/play\/\d+/)
      await page.locator('video').waitFor()
      await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.2)
    })
  })

  it('is known to be dead the next time, on a phone, and a viewer does not see the page in the menu', async () => {
    await inTab(server, { as: 'administrator', path: '/releases?q=film', scheme: 'dark', width: 390 }, async ({ page }) => {
      await page.locator('[data-release]').filter({ hasText: 'Dead.Film' }).getByText('cannot be played').waitFor()
      await settled(page)
      expect(await violations(page)).toEqual([])
      if (shots !== undefined) await page.screenshot({ path: `${shots}/releases-390.png`, fullPage: true })
    })
    await inTab(server, { as: 'viewer', path: '/files' }, async ({ page }) => {
      await page.getByRole('link', { name: 'Jobs' }).first().waitFor()
      expect(await page.getByRole('link', { name: 'Releases' }).count()).toBe(0)
    })
  })

  it('is in Stremio under an address that is made and revoked on the page', async () => {
    await inTab(server, { as: 'administrator', path: '/users' }, async ({ page }) => {
      await page.getByLabel('Name of the device').fill('Living room')
      await page.getByRole('button', { name: 'Make an address' }).click()
      const address = (await page.locator('[data-address]').textContent()) ?? ''
      expect(await page.getByRole('link', { name: 'Install in Stremio' }).getAttribute('href')).toBe(address.replace('http://', 'stremio://'))
      await settled(page)
      expect(await violations(page)).toEqual([])
      if (shots !== undefined) await page.screenshot({ path: `${shots}/stremio-1440.png`, fullPage: true })

      const manifest: unknown = await (await fetch(address)).json()
      const verdict = lintManifest(manifest)
      expect([verdict.valid, verdict.errors, verdict.warnings]).toEqual([true, [], []])
      const { addon } = await detectFromURL(address)
      if (addon === undefined) throw new Error('Stremio’s client does not know the address.')
      expect(addon.manifest).toEqual(manifest)

      // As the application asks: a catalogue, an entry of it, its streams, and those of a film that it knows by its id at IMDb.
      const { metas = [] } = await addon.get('catalog', 'movie', 'nzbdav-movies', { search: 'some film' })
      expect(metas.map(({ name }) => name)).toEqual(['Some Film'])
      const id = metas[0]?.id ?? ''
      expect((await addon.get('meta', 'movie', id)).meta?.name).toBe('Some Film')
      const own = (await addon.get('stream', 'movie', id)).streams ?? []
      const { streams = [] } = await addon.get('stream', 'movie', 'tt0137523')
      expect(streams.map(({ description }) => description.split('\n')[0])).toEqual(['Some.Film.2026.1080p.WEB'])
      for (const { url } of [...own, ...streams]) {
        const video = await fetch(url, { headers: { Range: 'bytes=0-999' } })
        expect([video.status, (await video.arrayBuffer()).byteLength]).toEqual([206, 1000])
      }

      await page.getByRole('button', { name: 'Revoke Living room' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await page.getByRole('button', { name: 'Revoke Living room' }).waitFor({ state: 'detached' })
      expect((await fetch(address)).status).toBe(401)
      expect((await fetch(own[0]?.url ?? '', { redirect: 'manual' })).status).toBe(401)
    })
  })
})
