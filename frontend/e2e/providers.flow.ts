import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './harness/axe'
import { closeBrowser, inTab } from './harness/browser'
import { News } from './harness/news'
import { Server } from './harness/server'

type Providers = { providers: { number: number; state: string }[] }

describe('providers', () => {
  let news: News
  beforeAll(async () => {
    news = await News.start({ username: 'anna', password: 'right' })
  })
  afterAll(async () => {
    await closeBrowser()
    await news.stop()
  })

  it('are tested before they are saved, step by step, and then work', async () => {
    const server = await Server.start()
    try {
      await inTab(server, { as: 'administrator', path: '/providers' }, async ({ page }) => {
        await page.getByRole('link', { name: 'Add a provider' }).first().click()
        const form = page.getByRole('dialog', { name: 'Add a provider' })
        await form.getByLabel('Server', { exact: true }).fill('127.0.0.1')
        await form.getByLabel('Port', { exact: true }).fill(String(news.port))
        await form.getByLabel('Use TLS', { exact: true }).click()
        await form.getByLabel('User name', { exact: true }).fill('anna')
        await form.locator('input[data-setting$=":Password"]').fill('wrong')
        await form.getByRole('button', { name: 'Test' }).click()
        await form.getByText('It does not work.').waitFor()
        await form.getByRole('img', { name: 'failed' }).waitFor()
        expect(await form.getByRole('listitem').filter({ hasText: 'Sign-in' }).getByRole('img').getAttribute('aria-label')).toBe('failed')
        expect(await violations(page)).toEqual([])

        await form.locator('input[data-setting$=":Password"]').fill('right')
        await form.getByRole('button', { name: 'Test' }).click()
        await form.getByText('It works.').waitFor()
        await form.getByRole('button', { name: 'Save' }).click()
        await page.getByText('127.0.0.1 is saved and in use.').waitFor()
        await page.locator('[data-provider="0"]').waitFor()
      })
    } finally {
      await server.stop()
    }
  })

  describe('of the environment', () => {
    const server = Server.around(() => ({ env: news.settings() }))

    it('that die and come back are shown without a reload', async () => {
      const state = async () => (await server.call<Providers>('GET', 'api/v1/providers')).providers[0]?.state
      await inTab(server, { as: 'administrator', path: '/providers' }, async ({ page }) => {
        const card = page.locator('[data-provider="0"]')
        await card.locator('[data-state="connected"], [data-state="idle"]').waitFor()
        await news.die()
        await server.until(async () => (await state()) === 'down', 'the server sees that the provider is gone')
        await card.locator('[data-state="down"]').waitFor()
        await news.start()
        await server.until(async () => ['connected', 'idle'].includes((await state()) ?? ''), 'the server sees that the provider is back')
        await card.locator('[data-state="connected"], [data-state="idle"]').waitFor()
      })
    })

    it('that the environment sets are locked, and say by which variables', async () => {
      await inTab(server, { as: 'administrator', path: '/providers?edit=0' }, async ({ page }) => {
        const form = page.getByRole('dialog', { name: 'Provider: mock' })
        await form.getByText('NzbDav__Usenet__Providers__0__Host', { exact: true }).waitFor()
        expect(await form.getByLabel('Server', { exact: true }).isDisabled()).toBe(true)
        expect(await form.getByRole('button', { name: 'Remove', exact: true }).count()).toBe(0)
        expect(await violations(page)).toEqual([])
      })
    })
  })
})
