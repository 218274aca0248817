import { Button, Group, Menu, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Setting } from '~/api/types'
import { freeNumber, instancesOf } from '~/ui/setting/instances'
import type { DraftState } from '~/ui/setting/useDraft'
import { useText } from '~/ui/text/catalogue'
import { ArrPanel } from './ArrPanel'
import { arrsQuery } from './calls'
import { text } from './text'

const Applications = ['Sonarr', 'Radarr', 'Lidarr', 'Prowlarr']

/** The *arrs: each a form of its own in the one draft. */
export function Arrs({ settings, template, state }: { settings: readonly Setting[]; template: readonly Setting[]; state: DraftState }) {
  const t = useText(text).arrs
  const { data } = useQuery(arrsQuery)
  const instances = instancesOf('Arrs', settings, template, state.draft)
  const choices = template.find((setting) => setting.path.endsWith(':Application'))?.choices
  const add = (application: string) => state.replace((draft) => ({ ...draft, [`Arrs:${freeNumber(instances)}:Application`]: application }))
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">{t.hint}</Text>
      {instances.length === 0 && <Text size="sm" mb="sm">{t.none}</Text>}
      {instances.map((instance) => <ArrPanel key={instance.number} instance={instance} row={data?.arrs.find((row) => row.number === instance.number)} state={state} />)}
      <Group mb="md">
        <Menu position="bottom-start">
          <Menu.Target><Button variant="default" leftSection={<IconPlus size={16} aria-hidden />}>{t.add}</Button></Menu.Target>
          <Menu.Dropdown>
            {(choices ?? Applications.map((value) => ({ value, title: value }))).map((choice) => <Menu.Item key={choice.value} onClick={() => add(choice.value)}>{choice.title}</Menu.Item>)}
          </Menu.Dropdown>
        </Menu>
      </Group>
    </>
  )
}
