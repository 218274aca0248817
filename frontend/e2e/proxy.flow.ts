import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeBrowser, inTab } from './harness/browser'
import { Nginx } from './harness/nginx'
import { people, Server } from './harness/server'

describe('below a URL base behind nginx', () => {
  let server: Server
  let nginx: Nginx
  beforeAll(async () => {
    server = await Server.start({ urlBase: '/nzbdav', env: { NzbDav__Access__TrustedProxies: '127.0.0.1' } })
    nginx = await Nginx.start(server)
  })
  afterAll(async () => {
    await closeBrowser()
    await nginx.stop()
    await server.stop()
  })

  it('signs in, goes about, is loaded anew at any address, and hears of changes', async () => {
    await inTab(nginx, { path: 'about', allow: [/status of 401/] }, async ({ page }) => {
      await page.getByLabel('Name').fill(people.administrator.username)
      await page.getByLabel('Password', { exact: true }).fill(people.administrator.password)
      const live = page.waitForResponse('**/api/v1/events*')
      await page.keyboard.press('Enter')
      expect((await live).status()).toBe(200)
      await page.getByRole('heading', { level: 1, name: 'About' }).waitFor()
      await page.getByRole('link', { name: 'Files' }).first().click()
      await page.waitForURL((url) => url.pathname === '/nzbdav/files')
      await page.reload()
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      expect(new URL(page.url()).pathname).toBe('/nzbdav/files')
      const outside = await page.evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => !name.includes('/nzbdav/')))
      expect(outside).toEqual([])
    })
  })

  it('takes the set-up below the URL base, too', async () => {
    await inTab(nginx, { as: 'administrator', path: 'setup?step=play' }, async ({ page }) => {
      await page.getByRole('heading', { name: 'Play' }).waitFor()
      await page.getByRole('button', { name: 'Skip' }).click()
      await page.getByRole('heading', { name: 'Sonarr & Co' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/nzbdav/setup')
    })
  })
})
