import { Button, Group, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { Setting } from '~/api/types'
import { faultOf, valueOf } from '~/ui/setting/draft'
import { freeNumber, instancesOf, removed, restored, type Instance } from '~/ui/setting/instances'
import { SettingFields } from '~/ui/setting/SettingFields'
import type { DraftState } from '~/ui/setting/useDraft'
import { useText } from '~/ui/text/catalogue'
import classes from './Settings.module.css'
import { text } from './text'

const Prefix = 'Search:Indexers'

/** The indexers that are searched beside those of Prowlarr: each a form of its own in the one draft. */
export function Indexers({ settings, template, state }: { settings: readonly Setting[]; template: readonly Setting[]; state: DraftState }) {
  const t = useText(text).indexers
  const instances = instancesOf(Prefix, settings, template, state.draft)
  const add = () => state.replace((draft) => ({ ...draft, [`${Prefix}:${freeNumber(instances)}:Url`]: '' }))
  return (
    <>
      <Title order={3} mt="md">{t.title}</Title>
      <Text size="sm" c="dimmed" mb="sm">{t.hint}</Text>
      {instances.length === 0 && <Text size="sm" mb="sm">{t.none}</Text>}
      {instances.map((instance) => <IndexerPanel key={instance.number} instance={instance} state={state} />)}
      <Group mb="md"><Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>{t.add}</Button></Group>
    </>
  )
}

function IndexerPanel({ instance, state }: { instance: Instance; state: DraftState }) {
  const words = useText(text)
  const t = words.indexers
  const value = (name: string) => {
    const setting = instance.settings.find((each) => each.path.endsWith(`:${name}`))
    return setting === undefined ? null : valueOf(setting, state.draft)
  }
  const name = value('Name') || value('Url') || words.arrs.unnamed(instance.number)
  const trouble = faultOf(state.faults, instance.path)
  return (
    <section className={classes.panel} aria-label={name} data-indexer={instance.number} style={{ marginBottom: 12 }}>
      <Group className={classes.note} justify="space-between">
        <Title order={4} td={instance.isRemoved ? 'line-through' : undefined} style={{ overflowWrap: 'anywhere' }}>{name}</Title>
        <Group gap="xs">
          {instance.isRemoved
            ? <><Text size="sm" c="dimmed">{words.arrs.removed}</Text><Button size="compact-sm" variant="default" onClick={() => state.replace((draft) => restored(draft, instance))}>{words.arrs.restore}</Button></>
            : !instance.isLocked && <Button size="compact-sm" variant="subtle" color="red" aria-label={t.removeOf(name)} onClick={() => state.replace((draft) => removed(draft, instance))}>{words.arrs.remove}</Button>}
        </Group>
        {instance.isLocked && <Text size="xs" c="dimmed">{words.arrs.locked}</Text>}
        <div role="status" style={{ width: '100%' }}>{trouble !== null && <Text size="sm" c="var(--nz-failed)">{trouble}</Text>}</div>
      </Group>
      {!instance.isRemoved && <SettingFields settings={instance.settings} state={state} all />}
    </section>
  )
}
