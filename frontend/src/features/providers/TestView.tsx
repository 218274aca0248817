import { Group, Loader, Text } from '@mantine/core'
import { IconAlertOctagon, IconCheck, IconMinus } from '@tabler/icons-react'
import type { ProviderStep, ProviderVerdict } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import classes from './Providers.module.css'
import { text } from './text'

type Props = { running: boolean; verdict: ProviderVerdict | undefined; error: Error | null }

/** What a test came to, step by step, in the server's sentences. */
export function TestView({ running, verdict, error }: Props) {
  const t = useText(text)
  const format = useFormat()
  if (running) return <Group gap="xs" role="status"><Loader size="xs" /><Text size="sm">{t.testing}</Text></Group>
  if (error !== null) return <ErrorNote error={error} />
  if (verdict === undefined) return <Text size="xs" c="dimmed">{t.testHint}</Text>
  const facts = [
    verdict.connections === null ? null : `${t.verdict.connections}: ${format.number(verdict.connections)}`,
    verdict.roundTripSeconds === null ? null : `${t.verdict.roundTrip}: ${format.duration(verdict.roundTripSeconds)}`,
    verdict.rate === null ? null : `${t.verdict.rate}: ${format.rate(verdict.rate)}`,
  ].filter((fact) => fact !== null)
  return (
    <div role="status">
      <Text fw={600} c={verdict.ok ? 'var(--nz-done)' : 'var(--nz-failed)'}>{verdict.ok ? t.works : t.fails}</Text>
      {facts.length > 0 && <Text size="sm">{facts.join(' · ')}</Text>}
      <ol className={classes.steps}>{verdict.steps.map((step) => <Step key={step.name} step={step} />)}</ol>
    </div>
  )
}

function Step({ step }: { step: ProviderStep }) {
  const t = useText(text)
  const format = useFormat()
  const sign = step.skipped ? <IconMinus size={16} role="img" aria-label={t.skipped} color="var(--nz-paused)" />
    : step.ok ? <IconCheck size={16} role="img" aria-label={t.passed} color="var(--nz-done)" />
    : <IconAlertOctagon size={16} role="img" aria-label={t.wrong} color="var(--nz-failed)" />
  return (
    <li className={classes.step}>
      {sign}
      <Text size="sm" fw={600}>{t.steps[step.name]}</Text>
      <Text size="sm" c={step.ok || step.skipped ? undefined : 'var(--nz-failed)'}>{step.message}</Text>
      <Text size="xs" c="dimmed">{step.skipped ? '' : format.duration(step.seconds)}</Text>
    </li>
  )
}
