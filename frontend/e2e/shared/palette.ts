import { describe, expect, it } from 'vitest'
import { violations } from '../harness/axe'
import { inTab } from '../harness/browser'
import type { News } from '../harness/news'
import { settled } from '../harness/ready'
import type { Server } from '../harness/server'

export function palette(server: Server, news: News): void {
  describe('what stands over every page', () => {
    it('finds a file, a page and a setting by a few letters, and goes there by keys alone', async () => {
      await server.add('Palette Film', news.nzb)
      await inTab(server, { as: 'administrator', path: '/about' }, async ({ page }) => {
        await settled(page)
        await page.keyboard.press('Control+k')
        const palette = page.getByRole('dialog', { name: 'Search' })
        const option = (name: RegExp | string) => palette.getByRole('option', { name })
        await palette.getByRole('combobox').fill('demo.mp4')
        await option(/^NzbDav Demo\.mp4/).waitFor()
        expect(await violations(page)).toEqual([])
        await page.keyboard.press('Enter')
        await palette.waitFor({ state: 'detached' })
        await page.getByRole('complementary').getByRole('heading', { name: 'NzbDav Demo.mp4' }).waitFor()
        expect(new URL(page.url()).searchParams.get('path')).toBe('/content/movies/Palette Film')

        await page.keyboard.press('Control+k')
        await palette.getByRole('combobox').fill('backups')
        await option('Backups').waitFor()
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { level: 1, name: 'Backups' }).waitFor()

        // Downwards to what is no page.
        await page.keyboard.press('Control+k')
        await palette.getByRole('combobox').fill('jobs')
        await option(/^Jobs at a time/).waitFor()
        const chosen = () => palette.getByRole('option', { selected: true }).textContent()
        expect(await chosen()).toBe('Jobs')
        const at = await palette.getByRole('option').evaluateAll((all) => all.findIndex((one) => one.textContent.startsWith('Jobs at a time')))
        for (let step = 0; step < at; step++) await page.keyboard.press('ArrowDown')
        expect(await chosen()).toContain('Jobs at a time')
        await page.keyboard.press('Enter')
        await page.getByLabel('Jobs at a time', { exact: true }).waitFor()

        await page.keyboard.press('Control+k')
        await palette.getByRole('combobox').fill('nothing is called so')
        await palette.getByText('Nothing found.').waitFor()
        await page.keyboard.press('Escape')
        await palette.waitFor({ state: 'detached' })
        expect(new URL(page.url()).pathname).toBe('/settings')
      })
    })

    it('puts what is called so before what only mentions it, and does what has no page', async () => {
      await inTab(server, { as: 'administrator', path: '/files' }, async ({ page }) => {
        await settled(page)
        await page.keyboard.press('Control+k')
        const palette = page.getByRole('dialog', { name: 'Search' })
        const first = palette.getByRole('option').first()
        await first.waitFor()
        expect(await palette.getByRole('option').allTextContents()).toEqual(expect.arrayContaining(['Settings', 'About', 'Show the keys']))
        await palette.getByRole('combobox').fill('demo')
        await palette.getByRole('option', { name: /^NzbDav Demo/ }).first().waitFor()
        expect(await first.textContent()).toContain('NzbDav Demo')
        await palette.getByRole('combobox').fill('palette film')
        await palette.getByText('Jobs', { exact: true }).waitFor()
        await palette.getByRole('combobox').fill('pause the')
        expect(await first.textContent()).toBe('Pause the queue')
        await page.keyboard.press('Enter')
        const isPaused = async () => (await server.call<{ paused: boolean }>('GET', 'api/v1/queue')).paused
        try {
          await server.until(isPaused, 'the queue is paused')
          await page.keyboard.press('Control+k')
          await palette.getByRole('combobox').fill('resume the')
          await palette.getByRole('option', { name: 'Resume the queue' }).waitFor()
          await page.keyboard.press('Enter')
          await server.until(async () => !(await isPaused()), 'the queue goes on')
        } finally {
          await server.call('PUT', 'api/v1/queue', { paused: false })
        }
      })
    })

    it('adds over the page that one is on; what is not taken stays in the field, and can be sent once more', async () => {
      await inTab(server, { as: 'administrator', path: '/files?path=/content', allow: [/api\/v1\/jobs\/links/] }, async ({ page }) => {
        await page.getByRole('banner').getByRole('link', { name: 'Add' }).click()
        const dialog = page.getByRole('dialog', { name: 'Add' })
        await dialog.waitFor()
        const here = () => new URL(page.url())
        expect([here().pathname, here().searchParams.get('path')]).toEqual(['/files', '/content'])
        await page.route('**/api/v1/jobs/links', (route) => route.abort('connectionrefused'))
        const links = dialog.getByLabel('Links')
        const link = `magnet:?xt=urn:btih:${'ab'.repeat(20)}`
        await links.fill(link)
        await dialog.getByRole('button', { name: 'Add links' }).click()
        const again = dialog.getByRole('button', { name: `Try again: ${link}` })
        await again.waitFor()
        expect(await links.inputValue()).toBe(link)
        await page.unroute('**/api/v1/jobs/links')
        await again.click()
        await dialog.getByText('Queued').waitFor()
        await dialog.getByRole('button', { name: 'Close' }).first().click()
        await dialog.waitFor({ state: 'detached' })
        expect([here().pathname, here().searchParams.get('path')]).toEqual(['/files', '/content'])
      })
      const { items } = await server.call<{ items: { id: string; infoHash: string | null }[] }>('GET', 'api/v1/jobs?kind=magnet')
      expect(items).toHaveLength(1)
      await server.call('POST', 'api/v1/jobs/actions', { ids: items.map(({ id }) => id), action: 'delete' })
    })

    it('shows a link from another page in the dialog, and adds it only when told to', async () => {
      const link = `magnet:?xt=urn:btih:${'cd'.repeat(20)}&dn=Elsewhere`
      await inTab(server, { as: 'administrator', path: `/?add=1&link=${encodeURIComponent(link)}` }, async ({ page }) => {
        const dialog = page.getByRole('dialog', { name: 'Add' })
        await dialog.waitFor()
        expect(await dialog.getByLabel('Links').inputValue()).toBe(link)
        expect(await violations(page)).toEqual([])
        await dialog.getByRole('button', { name: 'Close' }).first().click()
        await dialog.waitFor({ state: 'detached' })
        expect(new URL(page.url()).search).toBe('')
      })
      expect((await server.call<{ items: unknown[] }>('GET', 'api/v1/jobs?kind=magnet')).items).toEqual([])
      const manifest = await fetch(new URL('manifest.webmanifest', server.url))
      expect(manifest.headers.get('Content-Type')).toBe('application/manifest+json')
      expect(await manifest.json()).toMatchObject({ start_url: '.', protocol_handlers: [{ protocol: 'magnet', url: './?add=1&link=%s' }] })
    })

    it('limits what all providers give together, from the bar', async () => {
      const limit = async () => (await server.call<{ speedLimit: number | null }>('GET', 'api/v1/queue')).speedLimit
      await inTab(server, { as: 'administrator', path: '/about' }, async ({ page }) => {
        const speed = page.getByRole('button', { name: /^Speed: / })
        await speed.click()
        await page.getByRole('menuitemradio', { name: '5.00 MB/s' }).click()
        await server.until(async () => (await limit()) === 5_000_000, 'the limit is set')
        await page.getByRole('button', { name: /^Speed: .* of 5\.00 MB\/s$/ }).click()
        expect(await violations(page)).toEqual([])
        await page.getByRole('menuitemradio', { name: 'No limit' }).click()
        await server.until(async () => (await limit()) === null, 'the limit is gone')
      })
      await inTab(server, { as: 'viewer', path: '/about' }, async ({ page }) => {
        await page.getByText('0 B/s').first().waitFor()
        expect(await page.getByRole('button', { name: /^Speed: / }).count()).toBe(0)
      })
    })

    it('finds nothing for a viewer that he may not see', async () => {
      await inTab(server, { as: 'viewer', path: '/' }, async ({ page }) => {
        await settled(page)
        await page.getByRole('button', { name: 'Search' }).click()
        const palette = page.getByRole('dialog', { name: 'Search' })
        await palette.getByRole('option', { name: 'Jobs' }).waitFor()
        const offered = await palette.getByRole('option').allTextContents()
        expect(offered).toContain('About')
        expect(offered).not.toContain('Settings')
        await palette.getByRole('combobox').fill('backups')
        await palette.getByText('Nothing found.').waitFor()
      })
    })

    it('lists the keys on a question mark, but not while one types', async () => {
      await inTab(server, { as: 'administrator', path: '/files' }, async ({ page }) => {
        await settled(page)
        const keys = page.getByRole('dialog', { name: 'Keys' })
        await page.getByRole('searchbox', { name: 'Search names' }).focus()
        await page.keyboard.type('?')
        await page.getByText('No name contains “?”.').waitFor()
        expect(await keys.count()).toBe(0)
        await page.keyboard.press('Escape')
        await page.getByRole('heading', { level: 1 }).click()
        await page.keyboard.press('?')
        await keys.getByRole('row').filter({ hasText: 'Go to anything, or do it' }).waitFor()
        expect(await violations(page)).toEqual([])
        await page.keyboard.press('Escape')
        await keys.waitFor({ state: 'detached' })
      })
    })

    it('says that the server runs another version, and loads the page of that one', async () => {
      let streams = 0
      await inTab(server, { as: 'administrator', path: null, allow: [/api\/v1\/events/] }, async ({ page }) => {
        // The first stream is of an older server, which ends; whatever comes after is the real one's.
        await page.route('**/api/v1/events*', async (route) => {
          if (streams++ > 0) return route.continue()
          const hello = { epoch: '0123456789', version: '0.0.1', time: new Date().toISOString() }
          return route.fulfill({ status: 200, contentType: 'text/event-stream', body: `event: hello\nid: 0123456789-0\ndata: ${JSON.stringify(hello)}\n\n` })
        })
        await page.goto(server.url)
        const bar = page.getByText('The server runs a new version.')
        await bar.waitFor()
        await page.getByRole('button', { name: 'Reload' }).click()
        await bar.waitFor({ state: 'detached' })
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
        await server.until(() => Promise.resolve(streams > 2), 'the page listens again after it was loaded')
        expect(await bar.count()).toBe(0)
      })
    })

    it('says that the server does not answer and of when the figures are, and tries again at once on demand', async () => {
      await inTab(server, { as: 'administrator', path: null, allow: [/api\/v1\/events|ERR_/] }, async ({ page }) => {
        let attempts = 0
        await page.clock.install()
        await page.route('**/api/v1/events*', (route) => {
          attempts++
          return route.abort('connectionrefused')
        })
        await page.goto(server.url)
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
        // Each attempt waits longer, up to 8 s and a quarter more.
        const bar = page.getByText(/^The server does not answer\. Next attempt in ([5-9]|10) s\./).first()
        for (let seen = attempts; attempts < 6; seen = attempts) {
          await page.clock.fastForward(30_000)
          await server.until(() => Promise.resolve(attempts > seen), 'the page tries again')
        }
        await bar.waitFor()
        await page.getByText(/This page shows the state of /).waitFor()
        await page.unroute('**/api/v1/events*')
        await page.getByRole('button', { name: 'Try now' }).click()
        await page.getByText('The server does not answer.').first().waitFor({ state: 'detached' })
      })
    })
  })
}
