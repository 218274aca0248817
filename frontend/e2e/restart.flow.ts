import { describe, it } from 'vitest'
import { inTab } from './harness/browser'
import { Server } from './harness/server'

describe('the server restarts under an open page', () => {
  const server = Server.around()

  it('says so, comes back by itself, and goes on with the same session', async () => {
    await inTab(server, { as: 'administrator', path: '/about', allow: [/ERR_|status of 50[23]/] }, async ({ page }) => {
      await page.getByRole('heading', { level: 1, name: 'About' }).waitFor()
      await server.halt()
      const away = page.getByText(/The server does not answer/).first()
      await away.waitFor()
      await server.begin()
      await away.waitFor({ state: 'detached', timeout: 40_000 })
      await page.getByRole('link', { name: 'Users' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
      await page.getByText('anna').first().waitFor()
    })
  })
})
