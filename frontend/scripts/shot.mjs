// Takes pictures of pages: npm run shot -- [--url http://127.0.0.1:8080] [--user NAME --pass PASSWORD] [--lang de] [--wait SELECTOR] [--scale 2] [--out FOLDER] /files /jobs …
// Each in light and dark, 390 and 1440 px wide (--widths), with --scale pixels to each, into shots/. Fails when the browser's console tells of an error.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    user: { type: 'string' },
    pass: { type: 'string', default: '' },
    lang: { type: 'string', default: 'en-GB' },
    wait: { type: 'string' },
    out: { type: 'string', default: new URL('../shots/', import.meta.url).pathname },
    widths: { type: 'string', default: '390,1440' },
    scale: { type: 'string', default: '1' },
    full: { type: 'boolean', default: false },
  },
})
const base = values.url.endsWith('/') ? values.url : `${values.url}/`
const faults = []
mkdirSync(values.out, { recursive: true })
const browser = await chromium.launch({ executablePath: process.env.NZBDAV_CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const state = values.user === undefined ? undefined : await signIn()
  for (const scheme of ['light', 'dark']) {
    for (const width of values.widths.split(',').map(Number)) {
      const context = await browser.newContext({
        viewport: { width, height: width < 640 ? 844 : 900 }, deviceScaleFactor: Number(values.scale), colorScheme: scheme, reducedMotion: 'reduce', locale: values.lang, storageState: state, hasTouch: width < 640,
      })
      for (const path of positionals.length > 0 ? positionals : ['/']) await take(context, path, scheme, width)
      await context.close()
    }
  }
} finally {
  await browser.close()
}
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}

async function signIn() {
  const context = await browser.newContext()
  const answer = await context.request.post(new URL('api/v1/session', base).href, { data: { username: values.user, password: values.pass } })
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`)
  const state = await context.storageState()
  await context.close()
  return state
}

async function take(context, path, scheme, width) {
  const page = await context.newPage()
  const where = `${path} (${scheme}, ${width})`
  page.on('console', (message) => message.type() === 'error' && faults.push(`${where}: ${message.text()} ${message.location().url}`))
  page.on('pageerror', (error) => faults.push(`${where}: ${error.message}`))
  await page.goto(new URL(path.replace(/^\//, ''), base).href, { waitUntil: 'load' })
  // The live stream never ends, so "networkidle" would never come; what is drawn is there once the page holds a heading and nothing says that it loads.
  await page.locator(values.wait ?? 'h1, h2, [role=alert]').first().waitFor({ timeout: 5_000 }).catch(() => faults.push(`${where}: nothing to see after 5 s`))
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null, undefined, { timeout: 5_000 }).catch(() => undefined)
  await page.evaluate(() => document.fonts.ready)
  const name = path.replace(/[?#].*$/, '').replace(/^\/|\/$/g, '').replaceAll('/', '-') || 'overview'
  const file = join(values.out, `${name}-${width}-${scheme}.png`)
  await page.screenshot({ path: file, fullPage: values.full })
  console.log(file)
  await page.close()
}
