import { Button, Group, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ArrRow } from '~/api/types'
import { faultOf, valueOf } from '~/ui/setting/draft'
import { removed, restored, type Instance } from '~/ui/setting/instances'
import { SettingFields } from '~/ui/setting/SettingFields'
import type { DraftState } from '~/ui/setting/useDraft'
import { useText } from '~/ui/text/catalogue'
import { useArrTest } from './calls'
import { RegisterModal } from './RegisterModal'
import classes from './Settings.module.css'
import { text } from './text'

/** One *arr: its values, a test of what is saved, and setting NzbDav up there. */
export function ArrPanel({ instance, row, state }: { instance: Instance; row: ArrRow | undefined; state: DraftState }) {
  const t = useText(text).arrs
  const test = useArrTest()
  const [registering, register] = useDisclosure(false)
  const value = (name: string) => {
    const setting = instance.settings.find((each) => each.path.endsWith(`:${name}`))
    return setting === undefined ? null : valueOf(setting, state.draft)
  }
  const name = value('Name') ?? value('Application') ?? t.unnamed(instance.number)
  const dirty = Object.keys(state.draft).some((path) => path.startsWith(`${instance.path}:`))
  const trouble = faultOf(state.faults, instance.path) ?? (dirty ? null : row?.trouble ?? null)
  const verdict = test.data
  return (
    <section className={classes.panel} aria-label={name} data-arr={instance.number} style={{ marginBottom: 12 }}>
      <Group className={classes.note} justify="space-between">
        <Title order={3} td={instance.isRemoved ? 'line-through' : undefined}>{name}</Title>
        <Group gap="xs">
          {instance.isRemoved
            ? <><Text size="sm" c="dimmed">{t.removed}</Text><Button size="compact-sm" variant="default" onClick={() => state.replace((draft) => restored(draft, instance))}>{t.restore}</Button></>
            : (
              <>
                {dirty || instance.isNew
                  ? <Text size="xs" c="dimmed">{t.saveFirst}</Text>
                  : <>
                      <Button size="compact-sm" variant="default" loading={test.isPending} onClick={() => test.mutate(instance.number)}>{t.test}</Button>
                      <Button size="compact-sm" variant="default" onClick={register.open}>{t.register}</Button>
                    </>}
                {!instance.isLocked && <Button size="compact-sm" variant="subtle" color="red" onClick={() => state.replace((draft) => removed(draft, instance))}>{t.remove}</Button>}
              </>
            )}
        </Group>
        {instance.isLocked && <Text size="xs" c="dimmed">{t.locked}</Text>}
        <div role="status" style={{ width: '100%' }}>
          {trouble !== null && verdict === undefined && <Text size="sm" c="var(--nz-failed)">{trouble}</Text>}
          {test.error !== null && <Text size="sm" c="var(--nz-failed)">{test.error.message}</Text>}
          {verdict !== undefined && <Text size="sm" c={verdict.ok ? 'var(--nz-done)' : 'var(--nz-failed)'}>{verdict.ok ? t.works(verdict.version) : verdict.error}</Text>}
          {verdict?.warning != null && <Text size="sm" c="var(--nz-failed)" lang="en">{verdict.warning}</Text>}
        </div>
      </Group>
      {!instance.isRemoved && <SettingFields settings={instance.settings} state={state} />}
      <RegisterModal opened={registering} onClose={register.close} number={instance.number} name={name} />
    </section>
  )
}
