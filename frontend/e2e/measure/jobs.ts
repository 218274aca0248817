import { apiKey, type Server } from '../harness/server'

type Row = { id: string; state: string }

/** Puts jobs into a queue that stands: they wait, and nobody takes them. */
export async function fill(server: Server, count: number): Promise<void> {
  await server.call('PUT', 'api/v1/queue', { paused: true })
  const Most = 500
  for (let from = 0; from < count; from += Most) {
    const form = new FormData()
    form.set('category', 'tv')
    for (let at = from; at < Math.min(count, from + Most); at++) form.append('file', new Blob([nzb(at)]), `Some.Show.S${String(1 + Math.floor(at / 24)).padStart(2, '0')}E${String(1 + (at % 24)).padStart(2, '0')}.1080p.WEB-DL-GRP${at}.nzb`)
    const answer = await fetch(new URL('api/v1/jobs', server.url), { method: 'POST', headers: { 'X-Api-Key': apiKey }, body: form })
    if (!answer.ok) throw new Error(`adding jobs: ${answer.status} ${await answer.text()}`)
  }
}

function nzb(at: number): string {
  return `<?xml version="1.0" encoding="utf-8"?><nzb xmlns="http://www.newzbin.com/DTD/2003/nzb"><file poster="a@example.com" date="1700000000" subject="&quot;Some.Show.${at}.mkv&quot; yEnc (1/1)">`
    + `<groups><group>alt.binaries.test</group></groups><segments><segment bytes="700000" number="1">part-${at}@example.com</segment></segments></file></nzb>`
}

/** Holds jobs back and lets them go again, `rows` of them spread over the first `among` of the queue, ten times a second: each event of the stream then carries changed rows. Gives what ends that. */
export function churn(server: Server, rows = 40, among = 1000): () => Promise<void> {
  const ending = new AbortController()
  const run = (async () => {
    const ids: string[] = []
    for (let offset = 0; offset < among; offset += 100) ids.push(...(await server.call<{ items: Row[] }>('GET', `api/v1/jobs?state=queued&limit=100&offset=${offset}`)).items.map((job) => job.id))
    const chosen = ids.filter((_, at) => at % Math.max(1, Math.floor(ids.length / rows)) === 0)
    for (let round = 0; !ending.signal.aborted; round++) {
      await server.call('POST', 'api/v1/jobs/actions', { action: round % 2 === 0 ? 'pause' : 'resume', ids: chosen })
      await new Promise((next) => setTimeout(next, 100))
    }
  })()
  return async () => {
    ending.abort()
    await run
  }
}
