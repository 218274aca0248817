import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeBrowser, inTab } from './harness/browser'
import { News } from './harness/news'
import { people, Server } from './harness/server'

describe('set-up', () => {
  let news: News
  let server: Server
  beforeAll(async () => {
    news = await News.start({ username: 'account', password: 'secret word', maxConnections: 4 })
    server = await Server.start({ users: [] })
  })
  afterAll(async () => {
    await closeBrowser()
    await server.stop()
    await news.stop()
  })

  it('leads from nothing to a server that plays, with a wrong password first', async () => {
    await inTab(server, { path: `/setup?token=${server.setupToken}` }, async ({ page }) => {
      // The account. The token is off the address bar, and still known after a reload.
      await page.getByRole('heading', { name: 'Account' }).waitFor()
      await page.waitForURL((url) => url.search === '')
      await page.reload()
      await page.getByLabel('Name').fill(people.administrator.username)
      await page.getByLabel('Password', { exact: true }).fill(people.administrator.password)
      expect(await page.getByLabel('Token').count()).toBe(0)
      await page.getByRole('button', { name: 'Create the account' }).click()

      // The provider.
      await page.getByRole('heading', { name: 'Provider' }).waitFor()
      await page.getByLabel('Host').fill('127.0.0.1')
      await page.getByLabel('Encrypted (TLS)').uncheck()
      await page.getByLabel('Port').fill(String(news.port))
      await page.getByLabel('User name').fill('account')
      await page.getByLabel('Password', { exact: true }).fill('wrong word')
      await page.getByLabel('Connections').fill('8')
      await page.getByRole('button', { name: 'Test' }).click()
      await page.getByText('This does not work yet.').waitFor()
      await page.getByRole('listitem').filter({ hasText: 'Log in' }).getByLabel('failed').waitFor()
      await page.getByLabel('Password', { exact: true }).fill('secret word')
      await page.getByRole('button', { name: 'Test' }).click()
      await page.getByText('The account works.').waitFor({ timeout: 90_000 })
      await page.getByRole('button', { name: 'Save', exact: true }).click()

      // Players.
      await page.getByRole('heading', { name: 'Play' }).waitFor()
      await page.getByRole('button', { name: 'Suggest one' }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Saved.').waitFor()
      await page.getByText('rclone config create nzbdav webdav').waitFor()
      const password = await page.getByLabel('Password for players', { exact: true }).inputValue()
      const listing = await fetch(new URL('dav/', server.url), {
        method: 'PROPFIND', headers: { Depth: '0', Authorization: `Basic ${Buffer.from(`${people.administrator.username}:${password}`).toString('base64')}` },
      })
      expect(listing.status).toBe(207)
      await page.getByRole('button', { name: 'Continue' }).click()

      // The *arrs, skipped.
      await page.getByRole('heading', { name: 'Sonarr & Co' }).waitFor()
      await page.getByRole('button', { name: 'Skip' }).click()
      await page.getByRole('heading', { name: 'All set' }).waitFor()
      await page.getByRole('listitem').filter({ hasText: 'Sonarr & Co' }).last().waitFor()
      await page.getByRole('link', { name: 'To the overview' }).click()
      await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
    })
    await server.until(async () => (await fetch(new URL('health/ready', server.url))).ok, 'the provider that was set up works')
    await server.add('Film', news.nzb)
  })
})

describe('a wrong token', () => {
  it('says where the right one is', async () => {
    const server = await Server.start({ users: [] })
    try {
      await inTab(server, { path: '/setup?token=123', allow: [/status of 403/] }, async ({ page }) => {
        await page.getByLabel('Name').fill('anna')
        await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
        await page.getByRole('button', { name: 'Create the account' }).click()
        await page.getByText('This is not the current token.').waitFor()
        await page.getByLabel('Token').fill(server.setupToken)
        await page.getByRole('button', { name: 'Create the account' }).click()
        await page.getByRole('heading', { name: 'Provider' }).waitFor()
      })
    } finally {
      await closeBrowser()
      await server.stop()
    }
  })
})
