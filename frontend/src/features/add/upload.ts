import { address } from '~/api/address'
import { csrfToken } from '~/api/client'
import { ApiError } from '~/api/error'
import type { AddAnswer } from '~/api/types'

/** What goes with all that is added at once. Null: as the server does without it. */
export type AddOptions = { category: string | null; priority: number | null; password: string | null; paused: boolean }

export const plain: AddOptions = { category: null, priority: null, password: null, paused: false }

/** Sends one file, with its progress of 0…1: fetch tells none. Rejects with an ApiError. */
export function upload(file: File, options: AddOptions, progress: (share: number) => void): Promise<AddAnswer> {
  return new Promise((resolve, reject) => {
    const form = new FormData()
    if (options.category !== null) form.set('category', options.category)
    if (options.priority !== null) form.set('priority', String(options.priority))
    if (options.password !== null) form.set('password', options.password)
    if (options.paused) form.set('paused', 'true')
    form.append('file', file, file.name)
    const call = new XMLHttpRequest()
    call.open('POST', address('api/v1/jobs'))
    call.responseType = 'json'
    const token = csrfToken()
    if (token !== null) call.setRequestHeader('X-CSRF-Token', token)
    call.upload.onprogress = (event) => { if (event.lengthComputable) progress(event.loaded / event.total) }
    call.onload = () => {
      if (call.status >= 200 && call.status < 300) resolve(call.response as AddAnswer)
      else reject(ApiError.of(call.status, call.response))
    }
    call.onerror = () => reject(new ApiError(0, 'The server does not answer.'))
    call.send(form)
  })
}
