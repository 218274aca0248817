import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { HealthOverview } from '~/api/types'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { useFormat } from '~/ui/format/useFormat'
import { Notice } from '~/ui/state/Notice'
import { useText } from '~/ui/text/catalogue'
import { useHealth } from './calls'
import { text } from './text'

/** What people should know or decide: the brake, a pause, providers that are not believed. */
export function Notices({ overview, manage }: { overview: HealthOverview; manage: boolean }) {
  const t = useText(text)
  const format = useFormat()
  const { release } = useHealth()
  const [asking, setAsking] = useState(false)
  return (
    <>
      {overview.paused !== null && <Notice kind="waiting" title={t.paused}><Text size="sm">{t.pausedSince(format.dateTime(overview.paused))}</Text></Notice>}
      {overview.braked !== null && (
        <Notice kind="waiting" title={t.braked(format.number(overview.waiting))}>
          <Text size="sm">{t.brakedHint}</Text>
          {manage && <Button mt="xs" size="compact-sm" variant="default" onClick={() => setAsking(true)}>{t.release}</Button>}
        </Notice>
      )}
      {overview.accounts.filter((account) => account.doubted !== null).map((account) => (
        <Notice key={account.name} kind="waiting" title={t.doubted(account.name)}><Text size="sm">{t.doubtedHint(format.dateTime(account.doubted ?? ''))}</Text></Notice>
      ))}
      {overview.accounts.filter((account) => account.liesByStat).map((account) => (
        <Notice key={account.name} kind="waiting" title={t.lies(account.name)}><Text size="sm">{t.liesHint}</Text></Notice>
      ))}
      {asking && <ConfirmDialog title={t.releaseTitle} hint={t.releaseHint} confirm={t.release} act={release} onConfirm={() => release.mutate(undefined, { onSuccess: () => setAsking(false) })} onClose={() => setAsking(false)} />}
    </>
  )
}
