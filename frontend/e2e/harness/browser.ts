import { chromium, type Browser, type BrowserContext, type Download, type Page } from 'playwright-core'
import { inject } from 'vitest'
import { people, type Role } from './people'

/** Where the page is: a server, or a proxy before it. Ends with a slash. */
export type Site = { readonly url: string }

let browser: Browser | null = null

/** The browser of the run, which `together` has started. `closeBrowser` leaves it. */
async function connect(): Promise<Browser> {
  browser ??= await chromium.connect(inject('browser'))
  return browser
}

/** Closes all windows of a file of flows and leaves the browser; to be called after all of them. */
export async function closeBrowser(): Promise<void> {
  await browser?.close()
  browser = null
}

export type Look = { scheme?: 'light' | 'dark'; width?: number; lang?: string }
type Options = Look & {
  /** Who is signed in; nobody if left out. */
  as?: Role
  /** Where it begins, below the server's address; nothing is opened if null. */
  path?: string | null
  /** Errors of the console that belong to the flow: a wrong password is a 401, which Chromium tells there. */
  allow?: RegExp[]
}

/** A window with one page. Collects what must not happen: errors of the console (violations of the content security policy among them) and of scripts. */
export class Tab {
  private faults: string[] = []
  constructor(readonly page: Page, readonly context: BrowserContext, private readonly site: Site, readonly allowed: RegExp[]) {
    page.on('console', (message) => {
      const text = `${message.text()} ${message.location().url}`
      if (message.type() === 'error' && !this.allowed.some((pattern) => pattern.test(text))) this.faults.push(text)
    })
    page.on('pageerror', (error) => this.faults.push(error.stack ?? error.message))
  }

  /** Goes to an address of the page by loading it. */
  async open(path: string): Promise<void> {
    await this.page.goto(new URL(path.replace(/^\//, ''), this.site.url).href)
  }

  /** What happened that must not, since this was asked last. */
  takeFaults(): string[] {
    const { faults } = this
    this.faults = []
    return faults
  }

  /** Ends it; throws if anything happened that must not. */
  async close(): Promise<void> {
    await this.context.close()
    const faults = this.takeFaults()
    if (faults.length > 0) throw new Error(`the browser's console told of:\n${faults.join('\n')}`)
  }
}

/** Opens a window on a server, signed in as somebody. */
export async function openTab(site: Site, { as, path = '/', allow = [], scheme = 'light', width = 1440, lang = 'en-GB' }: Options = {}): Promise<Tab> {
  const context = await (await connect()).newContext({
    viewport: { width, height: width < 640 ? 844 : 900 }, hasTouch: width < 640, colorScheme: scheme, reducedMotion: 'reduce', locale: lang,
  })
  // Much for what is there at once: other programs may take the machine meanwhile.
  context.setDefaultTimeout(90_000)
  if (as !== undefined) await signIn(context, site, as)
  const tab = new Tab(await context.newPage(), context, site, allow)
  if (path !== null) await tab.open(path)
  return tab
}

/** Gives a window the session of somebody, by the API. */
export async function signIn(context: BrowserContext, site: Site, role: Role): Promise<void> {
  const answer = await context.request.post(new URL('api/v1/session', site.url).href, { data: people[role] })
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`)
}

/** Runs a flow in a window of its own and closes it; faults of the console fail it. */
export async function inTab(site: Site, options: Options, flow: (tab: Tab) => Promise<void>): Promise<void> {
  const tab = await openTab(site, options)
  try {
    await guarded(tab, flow)
  } catch (error) {
    await tab.context.close()
    throw error
  }
  await tab.close()
}

/** Runs a flow in a window that stays open; faults of the console fail it. */
export async function guarded(tab: Tab, flow: (tab: Tab) => Promise<void>): Promise<void> {
  let thrown: unknown
  try {
    await flow(tab)
  } catch (error) {
    thrown = error
    const folder = process.env.NZBDAV_SHOTS
    if (folder !== undefined) await tab.page.screenshot({ path: `${folder}/failed-${Date.now()}.png` }).catch(() => undefined)
  }
  const faults = tab.takeFaults()
  const told = `The browser's console told of:\n${faults.join('\n')}`
  if (thrown === undefined && faults.length > 0) throw new Error(told)
  if (thrown !== undefined) throw faults.length > 0 && thrown instanceof Error ? new Error(`${thrown.message}\n${told}`, { cause: thrown }) : thrown
}

/** What was downloaded. The file itself is the browser's, which may be another computer's for Playwright. */
export async function bytesOf(download: Download): Promise<Buffer> {
  return Buffer.concat((await (await download.createReadStream()).toArray()) as Buffer[])
}

/** Enters the administrator's password in the dialog that asks for it again. */
export async function enterPassword(page: Page, action: string): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ has: page.getByLabel('Your password') })
  await dialog.locator('input[type=password]').fill(people.administrator.password)
  await dialog.getByRole('button', { name: action, exact: true }).click()
}
