import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../harness/axe'
import { inTab } from '../harness/browser'
import type { Server } from '../harness/server'
import { Sonarr } from '../harness/sonarr'

export function arrs(server: Server): void {
  describe('Sonarr', () => {
    let sonarr: Sonarr
    beforeAll(async () => {
      sonarr = await Sonarr.start()
    })
    afterAll(async () => sonarr.stop())

    it('is told of in the set-up, with a wrong key first, and has this server as its download client after a click', async () => {
      await inTab(server, { as: 'administrator', path: '/setup?step=arrs', allow: [/status of 422/] }, async ({ page }) => {
        await page.getByLabel('Address').fill(sonarr.url)
        await page.getByLabel('API key', { exact: true }).fill('0'.repeat(32))
        await page.getByRole('button', { name: 'Add and test' }).click()
        await page.getByRole('status').getByText(/API key/).waitFor()
        expect(await page.getByRole('button', { name: 'Register as download client' }).count()).toBe(0)
        expect(await violations(page)).toEqual([])
        // A refusal leaves the step to do.
        const step = page.getByRole('listitem').filter({ hasText: 'Sonarr & Co' }).first()
        expect(await server.call('GET', 'api/v1/setup/progress')).toMatchObject({ arrs: true, arrAnswers: false })
        expect(await step.getAttribute('data-done')).toBeNull()

        // The same address again, with the right key: it corrects the one that is there.
        await page.getByLabel('Address').fill(`${sonarr.url}/`)
        await page.getByLabel('API key', { exact: true }).fill(sonarr.key)
        await page.getByRole('button', { name: 'Add and test' }).click()
        await page.getByText('Reached: version 4.0.15.2941.').waitFor()
        expect((await server.call<{ arrs: unknown[] }>('GET', 'api/v1/arrs')).arrs).toHaveLength(1)
        // From a port at which nobody is: Sonarr's own words.
        const port = page.getByLabel('Port', { exact: true })
        expect(await port.inputValue()).toBe(String(server.listens))
        await port.fill('1')
        await page.getByRole('button', { name: 'Register as download client' }).click()
        await page.getByRole('alert').getByText(/Unable to connect to SABnzbd/).waitFor()
        expect(sonarr.clients).toEqual([])
        await port.fill(String(server.listens))
        await page.getByRole('button', { name: 'Register as download client' }).click()
        await page.getByText('Usenet: Registered as a download client.').waitFor()
        await page.getByText('Torrents: Registered as a download client.').waitFor()
        await page.locator('li[data-done]').filter({ hasText: 'Sonarr & Co' }).waitFor()
      })
      const [client, torrents, ...others] = sonarr.clients
      expect(others).toEqual([])
      expect(torrents).toMatchObject({ name: 'NzbDav torrents', enable: true, implementation: 'QBittorrent', protocol: 'torrent' })
      expect(client).toMatchObject({ name: 'NzbDav', enable: true, implementation: 'Sabnzbd', protocol: 'usenet' })
      expect(['host', 'port', 'useSsl', 'urlBase', 'apiKey', 'tvCategory'].map((name) => Sonarr.field(client, name))).toEqual(['127.0.0.1', server.listens, false, '', expect.any(String), 'tv'])
      expect(Sonarr.field(client, 'apiKey')).not.toBe('')
      // What else its definition holds stays as it is.
      expect(Sonarr.field(client, 'olderTvPriority')).toBe(-100)
    })

    it('is brought up to date in the settings without a second entry', async () => {
      await inTab(server, { as: 'administrator', path: '/settings?group=arrs' }, async ({ page }) => {
        const panel = page.getByRole('region', { name: 'Sonarr' })
        await panel.getByRole('button', { name: 'Test' }).click()
        await panel.getByText('It answers: version 4.0.15.2941.').waitFor()
        await panel.getByRole('button', { name: 'Set up NzbDav there' }).click()
        const dialog = page.getByRole('dialog', { name: 'Set up NzbDav in Sonarr' })
        await dialog.getByLabel('Host of NzbDav').fill('localhost')
        await dialog.getByRole('button', { name: 'Set up', exact: true }).click()
        await dialog.getByText('The download client in Sonarr is up to date.').waitFor()
        expect(await violations(page)).toEqual([])
      })
      expect(sonarr.clients.map((client) => [client.id, Sonarr.field(client, 'host')])).toEqual([[1, 'localhost'], [2, '127.0.0.1']])
    })

    it('that does not answer any more is told so', async () => {
      await sonarr.stop()
      await inTab(server, { as: 'administrator', path: '/setup?step=arrs' }, async ({ page }) => {
        await page.getByRole('status').getByText(/Sonarr/).waitFor()
        await page.getByRole('button', { name: 'Test again' }).waitFor()
        expect(await page.getByRole('button', { name: 'Register as download client' }).count()).toBe(0)
      })
    })
  })
}
