declare module 'virtual:mantine.css.js'
