import { describe, expect, it } from 'vitest'
import { violations } from './harness/axe'
import { bytesOf, enterPassword, inTab } from './harness/browser'
import { settled } from './harness/ready'
import { people, Server } from './harness/server'

type Settings = { settings: { path: string; value: string | null; source: string }[] }

const away = /ERR_|status of 50[23]/

// Their own server: it stops, and is put back to an earlier state.
const server = Server.around()

describe('the server restarts under an open page', () => {
  it('says so, comes back by itself, and goes on with the same session', async () => {
    await inTab(server, { as: 'administrator', path: '/about', allow: [away] }, async ({ page }) => {
      await page.getByRole('heading', { level: 1, name: 'About' }).waitFor()
      await server.halt()
      const notice = page.getByText(/The server does not answer/).first()
      await notice.waitFor()
      await server.begin()
      await notice.waitFor({ state: 'detached', timeout: 90_000 })
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
      await page.getByRole('heading', { level: 1, name: 'Users', includeHidden: true }).waitFor({ timeout: 90_000 })
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

describe('a backup that is sent', () => {
  const workers = async () => (await server.call<Settings>('GET', 'api/v1/settings')).settings.find(({ path }) => path === 'Import:Workers')
  const names = async () => (await server.call<{ users: { username: string }[] }>('GET', 'api/v1/users')).users.map(({ username }) => username)
  let bytes: Buffer
  let name: string

  it('and is none, or is damaged, is refused with the reason, and nothing waits for the next start', async () => {
    await server.call('PATCH', 'api/v1/settings', { 'Import:Workers': '7' })
    await inTab(server, { as: 'administrator', path: '/backups', allow: [/status of 4\d\d/] }, async ({ page }) => {
      await page.getByRole('button', { name: 'Back up now' }).click()
      await page.getByRole('button', { name: /^Download nzbdav-/ }).first().click()
      const [download] = await Promise.all([page.waitForEvent('download'), enterPassword(page, 'Download')])
      name = download.suggestedFilename()
      bytes = await bytesOf(download)

      await page.getByRole('button', { name: 'Restore from a file' }).click()
      const dialog = page.getByRole('dialog', { name: 'Restore from a file' })
      const restore = dialog.getByRole('button', { name: 'Restore', exact: true })
      expect(await restore.isDisabled()).toBe(true)
      const send = async (what: Buffer) => {
        await page.locator('input[type=file]').last().setInputFiles({ name, mimeType: 'application/zip', buffer: what })
        await restore.click()
        await enterPassword(page, 'Restore')
      }
      await send(Buffer.from('this is no backup'))
      await dialog.getByText(`${name} is damaged or is no backup`).waitFor()
      expect(await violations(page)).toEqual([])
      // Whole to its directory, with other bytes in the middle.
      const damaged = Buffer.from(bytes)
      damaged.fill(0x55, bytes.length >> 1, (bytes.length >> 1) + 512)
      await send(damaged)
      await dialog.getByText(/The copy of the database is damaged|is damaged or is no backup/).waitFor()
      await send(bytes.subarray(0, bytes.length >> 1))
      await dialog.getByText(/is damaged or is no backup/).waitFor()
    })
    expect(await server.call('GET', 'api/v1/restore')).toMatchObject({ pending: null })
  })

  it('takes the place of what there is at the next start, with the sign-in of that time', async () => {
    await server.call('PATCH', 'api/v1/settings', { 'Import:Workers': '9' })
    await server.call('POST', 'api/v1/users', { username: 'later', password: 'correct horse later', role: 'viewer' })
    expect(await names()).toEqual(['anna', 'later'])
    await inTab(server, { as: 'administrator', path: '/backups', allow: [/ERR_|status of (401|50[23])/] }, async ({ page }) => {
      await page.getByRole('button', { name: 'Restore from a file' }).click()
      const dialog = page.getByRole('dialog', { name: 'Restore from a file' })
      await page.locator('input[type=file]').last().setInputFiles({ name, mimeType: 'application/zip', buffer: bytes })
      await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
      await enterPassword(page, 'Restore')
      await page.getByText('The backup has been checked. Restart the server to restore it.').waitFor()
      await page.getByText('A restore is pending until the next start').waitFor()
      expect(await workers()).toMatchObject({ value: '9' })

      await server.halt()
      await server.begin()
      expect(await workers()).toMatchObject({ value: '7' })
      expect(await names()).toEqual(['anna'])
      // The page that stood open: everybody signs in again, and is told what became of it.
      await page.getByLabel('Password', { exact: true }).fill(people.administrator.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText(`${name} was restored`).waitFor()
      await page.getByText('A restore is pending until the next start').waitFor({ state: 'detached' })
    })
  })
})
