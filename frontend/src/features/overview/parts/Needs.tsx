import { Button, CloseButton, Group, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { piece } from '~/api/chunks/piece'
import { api, take } from '~/api/client'
import { serverAhead } from '~/api/clock'
import { keys } from '~/api/live'
import { providersQuery } from '~/api/queries'
import { useRights } from '~/api/session'
import type { Job, Status } from '~/api/types'
import { useJobWords } from '~/domain/jobWords'
import { useFormat } from '~/ui/format/useFormat'
import { LinkButton } from '~/ui/LinkButton'
import { ReleaseName } from '~/ui/ReleaseName'
import { useText } from '~/ui/text/catalogue'
import { useLanguage } from '~/ui/text/language'
import { useNow } from '~/ui/useNow'
import { failedQuery } from '../queries'
import { text } from '../text'
import { Need } from './Need'
import classes from './parts.module.css'
import { SetupNeeds } from './SetupNeeds'

// Dialogs bring a good part of Mantine along: the page stands before they do.
const RemoveFailed = piece(() => import('./RemoveFailed'))

/** Failed jobs that are named where there are many; the others are counted. */
const MostNamed = 3

/** What does not go on by itself, each with the way out. */
export function Needs({ status }: { status: Status | undefined }) {
  const t = useText(text)
  const format = useFormat()
  const now = useNow() + serverAhead()
  const down = useQuery(providersQuery).data?.providers.filter((provider) => provider.state === 'down') ?? []
  const page = useQuery(failedQuery).data
  const failed = page?.items.filter((job) => job.state === 'failed') ?? []
  const behind = status?.exports.filter((one) => one.reason !== null) ?? []
  const mount = status?.mount?.reason == null ? null : status.mount
  const total = page?.total ?? 0
  const may = useRights()('change')
  const removal = useRemoval()
  const [asking, ask] = useDisclosure(false)
  const isWell = status?.ready === true && mount === null && behind.length === 0 && down.length === 0 && failed.length === 0
  return (
    <section className={classes.card} aria-labelledby="needs">
      <Title order={2} id="needs" mb="xs">{t.needs}</Title>
      <ul className={classes.plain}>
        {status?.ready === false && <Need state="failed" title={t.notReady} text={status.reason} />}
        {down.map((provider) => (
          <Need key={provider.number} state="failed" title={t.providerDown(provider.name)}
            text={[provider.reason, provider.since !== null && t.since(format.relative(provider.since, now)), provider.retryAt !== null && t.nextTry(format.relative(provider.retryAt, now))].filter(Boolean).join(' · ')}>
            <LinkButton to="/providers" size="compact-sm" variant="default">{t.see}</LinkButton>
          </Need>
        ))}
        {mount !== null && <Need state="failed" title={t.mountDown(mount.path)} text={mount.reason} />}
        {behind.map((one) => <Need key={one.folder} state="failed" title={t.exportBehind(one.category)} text={one.folder} />)}
        {failed.slice(0, total > MostNamed ? MostNamed : undefined).map((job) => <FailedJob key={job.id} job={job} />)}
        <SetupNeeds />
      </ul>
      {isWell && <Text c="dimmed" className={classes.well}>{t.allWell}</Text>}
      {total > 1 && (
        <Group justify="space-between" mt="xs">
          <Link to="/jobs" search={{ state: 'failed', sort: 'finished', desc: '1' }} className={classes.small}>{t.allFailed(total)}</Link>
          {may && <Button size="compact-sm" variant="subtle" color="red" onClick={ask.open}>{t.removeFailed}</Button>}
        </Group>
      )}
      <Suspense>{asking && <RemoveFailed count={total} act={removal} onConfirm={() => removal.mutate(null, { onSuccess: ask.close })} onClose={ask.close} />}</Suspense>
    </section>
  )
}

/** Takes failed jobs off the list: one, or all (null). Nothing was published by them. */
function useRemoval() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string | null) => take(api.POST('/api/v1/jobs/actions', {
      body: { ids: id === null ? null : [id], filter: id === null ? { states: ['failed'], kind: null, category: null, search: null } : null, action: 'delete', withFiles: false },
    })),
    onSettled: () => Promise.all([client.invalidateQueries({ queryKey: keys.jobLists }), client.invalidateQueries({ queryKey: keys.jobPages })]),
  })
}

function FailedJob({ job }: { job: Job }) {
  const t = useText(text)
  const client = useQueryClient()
  const may = useRights()('change')
  const words = useJobWords()
  const { language } = useLanguage()
  const retry = useMutation({
    mutationFn: () => take(api.POST('/api/v1/jobs/actions', { body: { ids: [job.id], action: 'retry' } })),
    onSettled: () => client.invalidateQueries({ queryKey: keys.jobLists }),
  })
  const reason = job.failure === null ? null : words.reason(job.failure.code)[0] + (language === 'en' ? `: ${job.failure.message}` : '')
  const removal = useRemoval()
  const refused = removal.error?.message ?? removal.data?.refused[0]?.reason ?? retry.error?.message ?? retry.data?.refused[0]?.reason
  return (
    <Need state="failed" title={<Link to="/jobs" search={{ job: job.id }} className={classes.name}><ReleaseName name={job.name} /></Link>} text={refused ?? reason}>
      {may && <Button size="compact-sm" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>{t.retry}</Button>}
      {may && <CloseButton size="sm" aria-label={t.dismissOf(job.name)} title={t.dismiss} disabled={removal.isPending} onClick={() => removal.mutate(job.id)} />}
    </Need>
  )
}
