import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './harness/axe'
import { closeBrowser, enterPassword, inTab, openTab } from './harness/browser'
import { News } from './harness/news'
import { apiKey, people, Server } from './harness/server'

describe('users', () => {
  let server: Server
  let news: News
  beforeAll(async () => {
    news = await News.start()
    server = await Server.start({ users: ['administrator', 'operator'], env: news.settings() })
    await server.add('Film', news.nzb)
  })
  afterAll(async () => {
    await closeBrowser()
    await server.stop()
    await news.stop()
  })

  it('that are added as viewers look and play, and are refused what changes something', async () => {
    await inTab(server, { as: 'administrator', path: '/users' }, async ({ page }) => {
      await page.getByRole('button', { name: 'Add a user' }).click()
      const form = page.getByRole('dialog', { name: 'Add a user' })
      await form.getByRole('textbox', { name: /^Name/ }).fill(people.viewer.username)
      await form.locator('input[type=password]').fill(people.viewer.password)
      expect(await form.getByRole('radio', { name: 'Viewer' }).isChecked()).toBe(true)
      expect(await violations(page)).toEqual([])
      await form.getByRole('button', { name: 'Add a user' }).click()
      await enterPassword(page, 'Add a user')
      await page.locator('[data-user="vera"]').waitFor()
    })

    const { items } = await server.call<{ items: { id: string }[] }>('GET', 'api/v1/files?path=/content/movies')
    const film = items[0]?.id
    expect(film).toBeDefined()
    // Asks as the page does: with the session's cookie and its token.
    const remove = async (as: 'viewer' | 'operator') => {
      const tab = await openTab(server, { as, path: null })
      const { csrfToken } = (await (await tab.context.request.get(new URL('api/v1/session', server.url).href)).json()) as { csrfToken: string }
      const answer = await tab.context.request.post(new URL('api/v1/files/actions', server.url).href, { data: { ids: [film], action: 'delete' }, headers: { 'X-CSRF-Token': csrfToken } })
      await tab.close()
      return answer.status()
    }

    await inTab(server, { as: 'viewer', path: '/files?path=/content/movies' }, async ({ page }) => {
      await page.getByText('Film', { exact: true }).first().waitFor()
      expect(await page.getByRole('button', { name: /delete/i }).count()).toBe(0)
      expect(await page.getByRole('link', { name: 'Add', exact: true }).count()).toBe(0)
      expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0)
    })
    expect(await remove('viewer')).toBe(403)
    expect(await remove('operator')).toBe(200)
  })

  it('change their own password, see their sessions, and nothing of others', async () => {
    await inTab(server, { as: 'operator', path: '/users' }, async ({ page }) => {
      await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
      await page.getByText('this one').waitFor()
      expect(await page.getByRole('button', { name: 'Add a user' }).count()).toBe(0)
      expect(await violations(page)).toEqual([])
    })
  })

  it('revoke a link that they made', async () => {
    await server.add('Second', news.nzb)
    await inTab(server, { as: 'administrator', path: '/users' }, async ({ page, context }) => {
      const { items } = await server.call<{ items: { id: string }[] }>('GET', 'api/v1/files?path=/content/movies/Second')
      const { csrfToken } = (await (await context.request.get(new URL('api/v1/session', server.url).href)).json()) as { csrfToken: string }
      const made = await context.request.post(new URL(`api/v1/files/${items[0]?.id}/link`, server.url).href, { data: { hours: 5 }, headers: { 'X-CSRF-Token': csrfToken } })
      const link = new URL(((await made.json()) as { path: string }).path, server.url).href
      expect((await fetch(link, { method: 'HEAD' })).status).toBe(200)
      await page.reload()
      const revoke = page.getByRole('button', { name: /^Revoke the link to / })
      await revoke.waitFor()
      expect(await violations(page)).toEqual([])
      await revoke.click()
      await page.getByText('The link opens nothing any more.').waitFor()
      await revoke.waitFor({ state: 'detached' })
      expect((await fetch(link, { method: 'HEAD' })).status).toBe(404)
    })
  })

  it('see an API key after the password, not before', async () => {
    await inTab(server, { as: 'administrator', path: '/users', allow: [/status of 40[013]/] }, async ({ page }) => {
      await page.getByRole('button', { name: 'Show: Full key' }).click()
      const dialog = page.getByRole('dialog', { name: 'Show the key: Full key' })
      await dialog.locator('input[type=password]').fill('not the password')
      await dialog.getByRole('button', { name: 'Show' }).click()
      await dialog.getByText(/wrong/).waitFor()
      expect(await page.getByText(apiKey).count()).toBe(0)
      await dialog.locator('input[type=password]').fill(people.administrator.password)
      await dialog.getByRole('button', { name: 'Show' }).click()
      await page.getByText(apiKey, { exact: true }).waitFor()
    })
  })
})
