import { defineText } from '~/ui/text/catalogue'
import { de } from './text.de'
import { en } from './text.en'

export const text = defineText(en, de)
