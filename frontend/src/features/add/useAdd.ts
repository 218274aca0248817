import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useReducer, useRef, useState } from 'react'
import { api, take } from '~/api/client'
import { keys } from '~/api/live'
import { useText } from '~/ui/text/catalogue'
import { entries } from './entries'
import { Lanes } from './lanes'
import { isJob, readText } from './read'
import { text } from './text'
import { upload, type AddOptions } from './upload'

/** Files that are sent at once: a browser has six lines to a server, and the live stream takes one. */
const AtOnce = 3

/** Adds files, links and texts, and keeps the list of what became of each. */
export function useAdd() {
  const t = useText(text)
  const client = useQueryClient()
  const [list, dispatch] = useReducer(entries, [])
  const next = useRef(1)
  // How each that failed is sent once more.
  const sends = useRef(new Map<number, (how?: AddOptions) => void>())
  const [lanes] = useState(() => new Lanes(AtOnce, () => void client.invalidateQueries({ queryKey: keys.jobPages })))

  const addFiles = useCallback((files: readonly File[], options: AddOptions) => {
    const known = files.map((file) => ({ file, id: next.current++, error: !isJob(file.name) ? t.notAJob(file.name) : file.size === 0 ? t.empty(file.name) : undefined }))
    dispatch({ type: 'begin', entries: known.map(({ id, file, error }) => ({ id, name: file.name, error })) })
    for (const { file, id, error } of known) {
      if (error !== undefined) continue
      const send = (how = options) => lanes.add(() => upload(file, how, (share) => dispatch({ type: 'progress', id, share })).then(
        (answer) => {
          if (answer.results.every((result) => result.error === null)) sends.current.delete(id)
          dispatch({ type: 'answer', ids: [id], answer })
        },
        (failure: unknown) => dispatch({ type: 'fail', ids: [id], error: (failure as Error).message }),
      ))
      sends.current.set(id, send)
      send()
    }
  }, [lanes, t])

  /** True once the server has taken the links, whatever became of each. */
  const addLinks = useCallback((links: readonly string[], options: AddOptions): Promise<boolean> => {
    const known = links.map((link) => ({ id: next.current++, name: link }))
    dispatch({ type: 'begin', entries: known })
    const send = (some: typeof known, how = options) => new Promise<boolean>((resolve) => {
      const ids = some.map(({ id }) => id)
      lanes.add(() => take(api.POST('/api/v1/jobs/links', { body: { ...how, links: some.map(({ name }) => name) } })).then(
        (answer) => {
          answer.results.forEach((result, at) => { if (result.error === null) sends.current.delete(ids[at] ?? -1) })
          dispatch({ type: 'answer', ids, answer })
        },
        (failure: unknown) => {
          dispatch({ type: 'fail', ids, error: (failure as Error).message })
          return failure
        },
      ).then((failure) => resolve(failure === undefined)))
    })
    for (const one of known) sends.current.set(one.id, (how) => void send([one], how))
    return send(known)
  }, [lanes])

  /** Whether the server took what the text holds; null: it holds nothing to add. */
  const addText = useCallback((pasted: string, options: AddOptions): Promise<boolean> | null => {
    const { links, nzb } = readText(pasted)
    if (links.length > 0) return addLinks(links, options)
    if (nzb === null) return null
    addFiles([new File([nzb], `${t.pasted}.nzb`, { type: 'application/x-nzb' })], options)
    return Promise.resolve(true)
  }, [addFiles, addLinks, t])

  const clear = useCallback(() => dispatch({ type: 'clear' }), [])
  /** Sends once more what failed; without options as the first time. */
  const again = useCallback((id: number, how?: AddOptions) => {
    const send = sends.current.get(id)
    if (send === undefined) return
    dispatch({ type: 'again', id })
    send(how)
  }, [])
  return { list, addFiles, addLinks, addText, clear, again }
}

export type Add = ReturnType<typeof useAdd>
