import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useState } from 'react'
import { ApiError } from '~/api/error'
import { useSaveSettings } from '~/api/settings'
import { strayFaults, valueOf } from '~/ui/setting/draft'
import { removed, type Instance } from '~/ui/setting/instances'
import { SettingFields } from '~/ui/setting/SettingFields'
import { Faults } from '~/ui/setting/Faults'
import { useDraft } from '~/ui/setting/useDraft'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { useProviderTest } from './calls'
import { probeOf } from './probe'
import { RemoveModal } from './RemoveModal'
import { TestView } from './TestView'
import { text } from './text'

type Props = { instance: Instance; name: string; onDirty: (dirty: boolean) => void; onDone: () => void }

/** The values of a provider, their test, and saving them. */
export function ProviderForm({ instance, name, onDirty, onDone }: Props) {
  const t = useText(text)
  const state = useDraft(instance.settings)
  const save = useSaveSettings()
  const test = useProviderTest()
  const [removing, setRemoving] = useState(false)
  const [hostMissing, setHostMissing] = useState(false)
  const dirty = state.changes.length > 0
  useEffect(() => onDirty(dirty), [dirty, onDirty])

  const host = instance.settings.find((setting) => setting.path.endsWith(':Host'))
  const hasHost = host !== undefined && (valueOf(host, state.draft) ?? '') !== ''
  const store = (changes: Readonly<Record<string, string | null>>, said: string) =>
    save.mutate(changes, {
      onSuccess: () => {
        notifications.show({ message: said })
        onDone()
      },
      onError: (error) => state.setFaults(error instanceof ApiError ? error.faults : []),
    })
  const guarded = (act: () => void) => {
    setHostMissing(!hasHost)
    if (hasHost) act()
  }
  const shownName = instance.isNew && host !== undefined ? valueOf(host, state.draft) ?? '' : name
  return (
    <form noValidate onSubmit={(event) => { event.preventDefault(); guarded(() => store(state.draft, t.saved(shownName))) }}>
      <Stack gap={0}>
        <Faults faults={strayFaults(state.faults, instance.settings)} count={state.faults.length} />
        {save.error !== null && state.faults.length === 0 && !(save.error instanceof ApiError && save.error.status === 422) && <ErrorNote error={save.error} />}
        <SettingFields settings={instance.settings} state={state} />
        {hostMissing && !hasHost && <Text size="sm" c="var(--mantine-color-error)" role="alert" px="md">{t.hostNeeded}</Text>}
        <Stack gap="xs" px="md" py="sm">
          <Group><Button variant="default" loading={test.isPending} onClick={() => guarded(() => test.mutate(probeOf(instance.number, instance.settings, state.draft)))}>{t.test}</Button></Group>
          <TestView running={test.isPending} verdict={test.data} error={test.error} />
        </Stack>
        <Group justify="space-between" px="md" py="sm">
          {instance.isNew ? <span />
            : instance.isLocked ? <Text size="xs" c="dimmed" flex={1}>{t.cannotRemove}</Text>
            : <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>{t.form.remove}</Button>}
          <Group gap="xs">
            <Button variant="default" onClick={onDone}>{t.form.cancel}</Button>
            <Button type="submit" loading={save.isPending} disabled={!dirty && !instance.isNew}>{t.form.save}</Button>
          </Group>
        </Group>
      </Stack>
      <RemoveModal opened={removing} name={name} busy={save.isPending} onClose={() => setRemoving(false)} onRemove={() => store(removed({}, instance), t.removed(name))} />
    </form>
  )
}
