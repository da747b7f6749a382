import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import css from './Authoring.module.css'

const OPTIONAL = ['given.py', 'probes.py', 'gate.toml', 'wrong.toml']
const ANSWER = /^submissions\/(accepted|wa|re|tle|mle|ole|ce|rv)\/[a-z0-9][a-z0-9_-]{0,60}\.py$/

const CHANGES = `[[wrong]]
name = ""
verdict = "wa"
caught_by = ""
mistake = ""

[[wrong.changes]]
find = '''
'''
replace = '''
'''
`

/** The initial content of a new file with this name. */
export function beginning(name: string): string {
  if (name === 'wrong.toml') return CHANGES
  return name.startsWith('submissions/') && !name.includes('/accepted/') ? '# caught by: ' : ''
}

interface Props {
  names: string[]
  shown: string
  changed: (name: string) => boolean
  onShow: (name: string) => void
  /** Absent if the user may not write. */
  onAdd?: (name: string) => void
}

/** The file list: marks the open file and those with unsaved changes. */
export function PackageFiles({ names, shown, changed, onShow, onAdd }: Props) {
  return (
    <div>
      <nav aria-label="Files" className={css.files}>
        {names.map(name => (
          <button
            key={name}
            type="button"
            className={css.file}
            aria-current={name === shown}
            data-changed={changed(name)}
            title={name}
            onClick={() => onShow(name)}
          >
            {name.replace('submissions/', '')}
          </button>
        ))}
      </nav>
      {onAdd && <Add names={names} onAdd={onAdd} />}
    </div>
  )
}

function Add({ names, onAdd }: { names: string[]; onAdd: (name: string) => void }) {
  const [error, setError] = useState('')
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    if (names.includes(name)) setError('A file with this name already exists.')
    else if (OPTIONAL.includes(name) || ANSWER.test(name)) {
      onAdd(name)
      setError('')
      event.currentTarget.reset()
    } else
      setError(
        'This file name is not allowed. Examples of allowed names: wrong.toml, gate.toml, given.py, probes.py, submissions/wa/forgets-eps.py.',
      )
  }
  return (
    <form onSubmit={send}>
      <Group gap="xs" mt="sm" align="start" wrap="nowrap">
        <TextInput
          name="name"
          size="xs"
          aria-label="Name of a new file"
          placeholder="submissions/wa/…"
          required
          error={error}
          style={{ flex: 1 }}
        />
        <Button type="submit" size="xs" variant="default">
          Add
        </Button>
      </Group>
    </form>
  )
}
