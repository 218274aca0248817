import { describe, expect, it } from 'vitest'
import { violations } from './harness/axe'
import { bytesOf, inTab } from './harness/browser'
import { people, Server } from './harness/server'

type Settings = { settings: { path: string; value: string | null; source: string }[] }

describe('a backup that is sent', () => {
  const server = Server.around()
  const workers = async () => (await server.call<Settings>('GET', 'api/v1/settings')).settings.find(({ path }) => path === 'Import:Workers')
  const names = async () => (await server.call<{ users: { username: string }[] }>('GET', 'api/v1/users')).users.map(({ username }) => username)
  let bytes: Buffer
  let name: string

  it('and is none, or is damaged, is refused with the reason, and nothing waits for the next start', async () => {
    await server.call('PATCH', 'api/v1/settings', { 'Import:Workers': '7' })
    await inTab(server, { as: 'administrator', path: '/backups', allow: [/status of 4\d\d/] }, async ({ page }) => {
      await page.getByRole('button', { name: 'Back up now' }).click()
      const link = page.getByRole('link', { name: /^Download nzbdav-/ }).first()
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
      name = download.suggestedFilename()
      bytes = await bytesOf(download)

      await page.getByRole('button', { name: 'Restore from a file' }).click()
      const dialog = page.getByRole('dialog', { name: 'Restore from a file' })
      const restore = dialog.getByRole('button', { name: 'Restore', exact: true })
      expect(await restore.isDisabled()).toBe(true)
      const send = async (what: Buffer) => {
        await page.locator('input[type=file]').last().setInputFiles({ name, mimeType: 'application/zip', buffer: what })
        await restore.click()
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
