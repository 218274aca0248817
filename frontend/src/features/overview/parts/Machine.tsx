import { Text, Title } from '@mantine/core'
import type { Status } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './parts.module.css'

/** Disk, memory, processor. */
export function Machine({ status }: { status: Status }) {
  const t = useText(text)
  const format = useFormat()
  const { disk, memory, diskCache } = status
  const asked = diskCache ? diskCache.hits + diskCache.misses : 0
  return (
    <section className={classes.card} aria-labelledby="machine">
      <Title order={2} id="machine" mb="xs">{t.machine}</Title>
      <Gauge name={t.disk} share={disk.total > 0 ? 1 - disk.free / disk.total : 0} text={t.diskFree(format.size(disk.free), format.size(disk.total))} />
      <Gauge name={t.buffers} share={memory.budget > 0 ? memory.used / memory.budget : 0} text={t.of(format.memory(memory.used), format.memory(memory.budget))} />
      {diskCache && <Gauge name={t.diskArticles} share={diskCache.limit > 0 ? diskCache.size / diskCache.limit : 0} text={diskCache.state === 'loading' ? t.loading : t.of(format.memory(diskCache.size), format.memory(diskCache.limit))} />}
      {diskCache?.reason && <Text size="sm" role="status" mb="xs">{diskCache.state === 'noRoom' ? t.noRoom(diskCache.reason) : t.notKept(diskCache.reason)}</Text>}
      <dl className={classes.facts}>
        <dt>{t.process}</dt><dd>{format.memory(memory.process)}</dd>
        <dt>{t.cache}</dt><dd>{format.memory(memory.cache)}</dd>
        {diskCache && <><dt>{t.articleCount}</dt><dd>{format.number(diskCache.articles)}</dd></>}
        {diskCache && asked > 0 && <><dt>{t.fromDisk}</dt><dd>{t.fromDiskOf(format.size(diskCache.bytesRead), format.percent(diskCache.hits / asked))}</dd></>}
        <dt>{t.cpu}</dt><dd>{format.percent(status.cpuShare)}</dd>
      </dl>
    </section>
  )
}

function Gauge({ name, share, text: value }: { name: string; share: number; text: string }) {
  return (
    <div className={classes.gauge}>
      <span>{name}</span><span className={classes.small}>{value}</span>
      <div className={classes.track} role="meter" aria-label={name} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(share * 100)} aria-valuetext={value}>
        <span className={classes.filled} data-full={share > 0.95 || undefined} style={{ transform: `scaleX(${Math.min(1, share)})` }} />
      </div>
    </div>
  )
}
