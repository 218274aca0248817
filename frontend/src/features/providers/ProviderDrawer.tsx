import { Drawer, Text } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '~/api/session'
import { useSettings } from '~/api/settings'
import type { SettingsAnswer } from '~/api/types'
import { freeNumber, fromTemplate, instancesOf, type Instance } from '~/ui/setting/instances'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { Loading } from '~/ui/state/Loading'
import { useText } from '~/ui/text/catalogue'
import { LeaveModal } from './LeaveModal'
import { ProviderForm } from './ProviderForm'
import { text } from './text'

export const Prefix = 'Usenet:Providers'

/** What the form edits: the provider of a number, or one more. */
function instanceFor(edit: string, answer: SettingsAnswer): Instance | null {
  const all = instancesOf(Prefix, answer.settings, answer.provider, {})
  if (edit !== 'new') return all.find((instance) => String(instance.number) === edit) ?? null
  const number = freeNumber(all)
  return { number, path: `${Prefix}:${number}`, settings: fromTemplate(answer.provider, number), isNew: true, isRemoved: false, isLocked: false }
}

/** The form of a provider, beside the page. Closing it with changes asks first. */
export function ProviderDrawer({ edit, onClose }: { edit: string; onClose: () => void }) {
  const t = useText(text)
  const { data, error, refetch } = useSettings()
  const isDemo = useSession()?.demo === true
  const [dirty, setDirty] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const instance = data === undefined ? null : instanceFor(edit, data)
  const name = instance?.settings.find((setting) => setting.path.endsWith(':Name'))?.value ?? instance?.settings.find((setting) => setting.path.endsWith(':Host'))?.value ?? edit
  return (
    <Drawer opened onClose={() => (dirty ? setLeaving(true) : onClose())} position="right" size="lg" title={edit === 'new' ? t.form.add : t.form.edit(name)} padding="md" closeButtonProps={{ 'aria-label': t.form.close }}>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={5} height={64} />}
      {data !== undefined && instance === null && <Text role="alert">{isDemo ? t.demo : t.gone}</Text>}
      {instance !== null && <ProviderForm instance={instance} name={name} onDirty={setDirty} onDone={onClose} />}
      <LeaveModal opened={leaving} onStay={() => setLeaving(false)} onDiscard={onClose} />
    </Drawer>
  )
}
