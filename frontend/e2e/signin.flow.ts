import { describe, expect, it } from 'vitest'
import { inTab } from './harness/browser'
import { people, Server } from './harness/server'

const wrong = /status of 401/

describe('sign-in', () => {
  const server = Server.around()

  it('says that a password is wrong, and leads to the address that was asked for with the right one', async () => {
    await inTab(server, { path: '/files?sort=size', allow: [wrong] }, async ({ page }) => {
      await page.getByLabel('Name').fill(people.administrator.username)
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText('The name or the password is wrong.').waitFor()
      expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
      await page.getByLabel('Password', { exact: true }).fill(people.administrator.password)
      await page.keyboard.press('Enter')
      await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/files?sort=size')
    })
  })

  it('slows down who tries many, and says how long to wait', async () => {
    const own = await Server.start()
    try {
      await inTab(own, { allow: [wrong, /status of 429/] }, async ({ page }) => {
        await page.getByLabel('Name').fill(people.administrator.username)
        const told = page.getByText(/Too many wrong attempts from this address. Try again in/)
        const button = page.getByRole('button', { name: 'Sign in' })
        for (let attempt = 0, status = 401; attempt < 40 && status === 401; attempt++) {
          // The field is emptied, and the button free again, once the answer is there.
          await page.getByLabel('Password', { exact: true }).fill(`wrong ${attempt}`)
          const answer = page.waitForResponse((response) => response.request().method() === 'POST')
          await button.click()
          status = (await answer).status()
          await page.waitForFunction(() => document.querySelector<HTMLInputElement>('[name=password]')?.value === '')
        }
        await told.waitFor()
        expect(await button.isDisabled()).toBe(true)
      })
    } finally {
      await own.stop()
    }
  })

  it('lies over the page when the session ends meanwhile, and leaves what was typed', async () => {
    await inTab(server, { as: 'administrator', path: '/setup?step=provider', allow: [wrong] }, async ({ page, context }) => {
      await page.getByLabel('Host').fill('news.example.com')
      await context.clearCookies()
      await page.getByRole('button', { name: 'Test' }).click()
      const over = page.getByRole('dialog', { name: 'Your session has ended' })
      await over.getByLabel('Password', { exact: true }).fill(people.administrator.password)
      expect(await over.getByLabel('Name').inputValue()).toBe(people.administrator.username)
      await over.getByRole('button', { name: 'Sign in' }).click()
      await over.waitFor({ state: 'detached' })
      expect(await page.getByLabel('Host').inputValue()).toBe('news.example.com')
      expect(new URL(page.url()).search).toContain('step=provider')
    })
  })

  it('leaves nothing behind after signing out', async () => {
    await inTab(server, { as: 'administrator', path: '/about' }, async ({ page }) => {
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/about')
      expect(await page.getByRole('navigation').count()).toBe(0)
    })
  })
})
