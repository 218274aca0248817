import { Text } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconMinus } from '@tabler/icons-react'
import type { ProviderVerdict } from '~/api/types'
import { useText } from '~/ui/text/catalogue'
import { useFormat } from '~/ui/format/useFormat'
import classes from './Setup.module.css'
import { text } from './text'

/** What a test of a provider found, step by step, each in the server's words. */
export function ProviderVerdictList({ verdict }: { verdict: ProviderVerdict }) {
  const t = useText(text).provider
  const format = useFormat()
  return (
    <div className="surface">
      <Text fw={600} px="sm" pt="sm" className={verdict.ok ? classes.good : classes.bad}>{verdict.ok ? t.ok : t.bad}</Text>
      <ul className={classes.verdict}>
        {verdict.steps.map((step) => (
          <li key={step.name}>
            {step.skipped ? <IconMinus size={18} aria-label={t.skipped} />
              : step.ok ? <IconCircleCheck size={18} className={classes.good} aria-label={t.passed} /> : <IconCircleX size={18} className={classes.bad} aria-label={t.failed} />}
            <span><b>{t.names[step.name] ?? step.name}</b>{step.message !== '' && <>: {step.message}</>}</span>
            <Text size="sm" c="dimmed">{step.skipped ? '' : format.duration(step.seconds)}</Text>
          </li>
        ))}
      </ul>
    </div>
  )
}
