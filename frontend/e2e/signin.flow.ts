import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { violations } from './harness/axe'
import { inTab } from './harness/browser'
import { freePort } from './harness/files'
import { OidcProvider } from './harness/oidc'
import { people, Server } from './harness/server'

const wrong = /status of 401/

const server = Server.around()

describe('sign-in', () => {
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

describe('single sign-on', () => {
  let provider: OidcProvider
  beforeAll(async () => {
    provider = await OidcProvider.start()
  })
  afterAll(async () => provider.stop())
  beforeEach(() => {
    provider.refuses = false
    provider.claims = { sub: '4711', preferred_username: 'carla', groups: ['films'] }
  })

  it('is not offered where there is none', async () => {
    await inTab(server, {}, async ({ page }) => {
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      expect(await page.getByRole('link').count()).toBe(0)
    })
  })

  it('goes to the provider and comes back to the address that was asked for', async () => {
    await server.call('PATCH', 'api/v1/settings', provider.settings())
    await inTab(server, { path: '/files?sort=size' }, async ({ page }) => {
      expect(await violations(page)).toEqual([])
      await page.getByRole('link', { name: 'Sign in with single sign-on' }).click()
      await page.getByRole('navigation', { name: 'Main' }).first().waitFor()
      expect(page.url()).toBe(new URL('files?sort=size', server.url).href)
      await page.getByRole('button', { name: 'Account' }).click()
      await page.getByText('carla').first().waitFor()
    })
    expect(Object.fromEntries(provider.asked ?? [])).toMatchObject({
      client_id: provider.client.id, response_type: 'code', code_challenge_method: 'S256', redirect_uri: new URL('signin/oidc/callback', server.url).href, scope: expect.stringContaining('openid') as string,
    })
    expect(provider.asked?.get('state')).not.toBe('')
    expect(provider.asked?.get('code_challenge')).toMatch(/^[\w-]{43}$/)
  })

  it.each([
    ['that refuses', () => { provider.refuses = true }, 'The sign-in provider has refused.', 403],
    ['whose user is not among those who may', () => { provider.claims = { ...provider.claims, groups: ['others'] } }, 'You are not among those who may sign in here.', 403],
    ['that does not say who it is', () => { provider.claims = {} }, 'The sign-in provider does not say who you are.', 502],
  ])('tells plainly of a provider %s, and leads back', async (_, spoil, message, status) => {
    spoil()
    await inTab(server, { path: '/jobs', allow: [/status of (403|502)|favicon/] }, async ({ page }) => {
      const answer = page.waitForResponse((response) => response.url().includes('/signin/oidc/callback'))
      await page.getByRole('link', { name: 'Sign in with single sign-on' }).click()
      expect((await answer).status()).toBe(status)
      await page.getByRole('heading', { name: 'Signing in failed' }).waitFor()
      await page.getByText(message).waitFor()
      expect(await violations(page)).toEqual([])
      await page.getByRole('link', { name: 'Back' }).click()
      await page.getByLabel('Password', { exact: true }).waitFor()
    })
  })

  it('stands over the page when the session ends meanwhile', async () => {
    await inTab(server, { as: 'administrator', path: '/about', allow: [/status of 401/] }, async ({ page, context }) => {
      await page.getByRole('heading', { level: 1, name: 'About' }).waitFor()
      await context.clearCookies()
      await page.getByRole('link', { name: 'Users' }).first().click()
      const over = page.getByRole('dialog', { name: 'Your session has ended' })
      await over.getByRole('link', { name: 'Sign in with single sign-on' }).click()
      await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/users')
      expect(await over.count()).toBe(0)
    })
  })

  it('with a provider that is away says so, and a password still works', async () => {
    // What is known of one holds for an hour: another one, at a port where nobody is.
    await server.call('PATCH', 'api/v1/settings', { 'Access:Oidc:Authority': `http://127.0.0.1:${await freePort()}/realm` })
    await inTab(server, { path: '/', allow: [/status of 503|favicon/] }, async ({ page }) => {
      await page.getByRole('link', { name: 'Sign in with single sign-on' }).click()
      await page.getByText(/The sign-in provider cannot be reached/).waitFor()
    })
    await inTab(server, { as: 'administrator', path: '/' }, async ({ page }) => {
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    })
  })
})

// The last: this address is not let in for a while.
describe('wrong passwords', () => {
  it('slow down who tries many, which says how long to wait', async () => {
    await inTab(server, { allow: [wrong, /status of 429/] }, async ({ page }) => {
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
  })
})
