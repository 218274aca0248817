import { Group, Text, Title } from '@mantine/core'
import { IconLock, IconLockOpen } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import type { Provider } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { LinkButton } from '~/ui/LinkButton'
import { useText } from '~/ui/text/catalogue'
import { useNow } from '~/ui/useNow'
import { colourOf } from './colour'
import { limitOf, missShare, outcomes } from './figures'
import classes from './Providers.module.css'
import { State } from './State'
import { text } from './text'
import { useShare } from './useShare'

const scale = (share: number): CSSProperties => ({ transform: `scaleX(${Math.min(1, Math.max(0, share))})` })

/** Shares are written with a tenth of a per cent: what is less than that is not nothing. */
const Smallest = 0.001

/** One provider: whether it works, why not, what it grants and how fast it is. */
export function ProviderCard({ provider, mayEdit }: { provider: Provider; mayEdit: boolean }) {
  const t = useText(text)
  const format = useFormat()
  const now = useNow()
  const { connections } = provider
  const limit = limitOf(provider)
  const share = useShare()
  const lately = outcomes(provider.lately)
  const traits = [
    provider.isBlock ? t.block : provider.backupOnly ? t.backupOnly : t.tier(provider.priority),
    ...(provider.weight === 1 ? [] : [t.weight(format.number(provider.weight))]),
    ...(provider.retentionDays === null ? [] : [t.retention(format.number(provider.retentionDays))]),
    ...(provider.proxy === null ? [] : [t.through(provider.proxy)]),
  ]
  const style = { '--line': colourOf(provider.number) } as CSSProperties
  return (
    <li className={classes.card} style={style} data-provider={provider.number}>
      <Group justify="space-between" align="flex-start" gap="xs">
        <div className={classes.name}>
          <Title order={2}>{provider.name}</Title>
          <Group gap={6} wrap="nowrap">
            {provider.tls ? <IconLock size={14} role="img" aria-label={t.tls} /> : <IconLockOpen size={14} role="img" aria-label={t.plain} color="var(--nz-waiting)" />}
            <Text size="sm" c="dimmed" className="mono">{provider.host}:{provider.port}</Text>
          </Group>
        </div>
        <Group gap="sm" wrap="nowrap" flex="none">
          <State state={provider.state} />
          {mayEdit && <LinkButton to="/providers" search={{ edit: String(provider.number) }} resetScroll={false} size="compact-sm" variant="default" aria-label={t.editOf(provider.name)}>{t.edit}</LinkButton>}
        </Group>
      </Group>
      <Text size="xs" c="dimmed" className={classes.traits}>{traits.join(' · ')}</Text>
      <div aria-live="polite">
        {provider.state === 'down' && (
          <Text size="sm" mt={8} c="var(--nz-failed)">
            {provider.reason}
            {provider.since !== null && <Text span size="xs" c="dimmed"> {t.since(format.relative(provider.since, now))}</Text>}
            {provider.retryAt !== null && <Text span size="xs" c="dimmed">, {t.retry(format.relative(provider.retryAt, now))}</Text>}
          </Text>
        )}
      </div>
      <div className={classes.slots} aria-hidden>
        <span className={classes.open} style={scale(connections.open / connections.configured)} />
        <span className={classes.busy} style={scale(connections.busy / connections.configured)} />
        {limit < connections.configured && <span className={classes.withheld} style={scale(1 - limit / connections.configured)} />}
      </div>
      <Text size="xs" c="dimmed" mt={4}>
        {t.connections}: {t.open(format.number(connections.open), format.number(limit))}, {t.busy(format.number(connections.busy))}.
        {limit < connections.configured && <> {t.granted(format.number(limit), format.number(connections.configured))}</>}
      </Text>
      {provider.quota !== null && (
        <div className={classes.quota}>
          <div className={classes.gauge} aria-hidden><span data-used-up={provider.state === 'usedUp' || undefined} style={scale(provider.quota.used / provider.quota.bytes)} /></div>
          <Text size="xs" c={provider.state === 'usedUp' ? 'var(--nz-waiting)' : 'dimmed'} mt={4}>
          {t.quota(format.size(provider.quota.used), format.size(provider.quota.bytes))}
          {provider.quota.resetsAt !== null && <> {t.quotaAnew(format.dateTime(provider.quota.resetsAt))}</>}
          </Text>
        </div>
      )}
      {provider.isSlow && <Text size="xs" c="var(--nz-waiting)" mt={4}>{t.slow}</Text>}
      <div className={classes.lately}>
        {lately.length > 0 && <div className={classes.outcomes} aria-hidden>{lately.map(({ outcome, share }) => <span key={outcome} data-outcome={outcome} style={{ flexGrow: share }} />)}</div>}
        <Text size="xs" c="dimmed" mt={4}>
          {t.lately}: {lately.length === 0 ? t.latelyNone : `${lately.map(({ outcome, share: part }) => t.outcomes[outcome](part < Smallest ? `< ${share(Smallest)}` : share(part))).join(', ')}.`}
        </Text>
      </div>
      {provider.isUnreliable && <Text size="xs" c="var(--nz-waiting)" mt={4}>{t.unreliable}</Text>}
      <dl className={classes.figures}>
        <div><dt>{t.rate}</dt><dd>{format.rate(provider.rate)}</dd></div>
        <div><dt>{t.connectionRate}</dt><dd>{provider.connectionRate === null ? t.unknown : format.rate(provider.connectionRate)}</dd></div>
        <div><dt>{t.roundTrip}</dt><dd>{provider.roundTripSeconds === null ? t.unknown : format.duration(provider.roundTripSeconds)}</dd></div>
        <div><dt>{t.bytes}</dt><dd>{format.size(provider.bytes)}</dd></div>
        <div><dt>{t.missing}</dt><dd>{share(missShare(provider))}</dd></div>
      </dl>
    </li>
  )
}
