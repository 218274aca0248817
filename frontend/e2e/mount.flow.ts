import { describe, expect, it } from 'vitest'
import { violations } from './harness/axe'
import { inTab } from './harness/browser'
import { Server } from './harness/server'
import { settled } from './harness/ready'

const shots = process.env.NZBDAV_SHOTS
// No helper will ever be there.
const server = Server.around({ env: { NzbDav__Mount__Socket: '/nonexistent/mount.sock', NzbDav__Mount__Path: '/mnt/films' } })

describe('a mount that is not there', () => {
  for (const [scheme, width] of [['light', 1440], ['dark', 390]] as const) {
    it(`is said on the overview and in the set-up, with the reason: ${scheme}, ${width} px`, async () => {
      await inTab(server, { as: 'administrator', path: '/', scheme, width }, async ({ page }) => {
        await page.getByText('There is no mount at /mnt/films').waitFor()
        await page.getByText('There is no mount helper at /nonexistent/mount.sock').first().waitFor()
        await settled(page)
        expect(await violations(page)).toEqual([])
        if (shots !== undefined) await page.screenshot({ path: `${shots}/mount-overview-${scheme}-${width}.png`, fullPage: true })
      })
      await inTab(server, { as: 'administrator', path: '/setup?step=play', scheme, width }, async ({ page }) => {
        await page.getByLabel('Password for players').fill('long enough for them')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('/mnt/films/content').waitFor()
        await settled(page)
        expect(await violations(page)).toEqual([])
        if (shots !== undefined) await page.screenshot({ path: `${shots}/mount-setup-${scheme}-${width}.png`, fullPage: true })
      })
    })
  }
})
