import { describe, expect, it } from 'vitest'
import { inTab } from './harness/browser'
import { settled } from './harness/ready'
import { Server } from './harness/server'

const away = /ERR_|status of 50[23]/

describe('the server restarts under an open page', () => {
  const server = Server.around()

  it('says so, comes back by itself, and goes on with the same session', async () => {
    await inTab(server, { as: 'administrator', path: '/about', allow: [away] }, async ({ page }) => {
      await page.getByRole('heading', { level: 1, name: 'About' }).waitFor()
      await server.halt()
      const notice = page.getByText(/The server does not answer/).first()
      await notice.waitFor()
      await server.begin()
      await notice.waitFor({ state: 'detached', timeout: 40_000 })
      await page.getByRole('link', { name: 'Users' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
      await page.getByText('anna').first().waitFor()
    })
  })

  it('lacks only what it could not load, and loads that once the server is back', async () => {
    await inTab(server, { as: 'administrator', path: null, allow: [away] }, async (tab) => {
      const { page } = tab
      // The server is gone before the account menu, the keys or the page of users have come.
      await page.route(/\/(Menu-.*\.css|(KeysDialog|UsersPage)-.*\.js)$/, (route) => route.abort('connectionrefused'))
      const palette = page.waitForResponse(/\/Palette-.*\.js$/)
      await tab.open('/about')
      await page.getByRole('heading', { level: 1, name: 'About' }).waitFor()
      // Fetched without being asked for. That it opens says that the last file has come.
      await palette
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search' }).waitFor()
      await page.keyboard.press('Escape')
      await server.halt()
      const notice = page.getByRole('status').getByText(/The server does not answer/).first()
      await notice.waitFor()

      // What is there goes on working.
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search' }).waitFor()
      await page.keyboard.press('Escape')
      // What is not there comes later: a dialog, a page.
      await page.keyboard.press('?')
      await page.getByRole('link', { name: 'Users' }).first().click()
      await page.getByText(/The page opens as soon as the server answers/).waitFor()
      expect(new URL(page.url()).pathname).toBe('/users')
      await page.getByRole('banner').waitFor()

      await page.unrouteAll()
      await server.begin()
      await page.getByRole('heading', { level: 1, name: 'Users', includeHidden: true }).waitFor({ timeout: 40_000 })
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor()
    })
  })

  it('reloads once when an upgrade has taken away what the page is made of', async () => {
    await inTab(server, { as: 'administrator', path: null, allow: [/status of 404|GoneError/] }, async (tab) => {
      const { page } = tab
      let isOld = true
      await page.route(/\/UsersPage-.*\.js$/, (route) => (isOld ? route.fulfill({ status: 404, body: 'gone' }) : route.continue()))
      await tab.open('/about')
      await settled(page)
      page.once('load', () => { isOld = false })
      await page.getByRole('link', { name: 'Users' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
      await page.getByText('anna').first().waitFor()
    })
  })
})
