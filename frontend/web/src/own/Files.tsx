import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import css from './Own.module.css'

const OPTIONAL = ['given.py', 'probes.py', 'gate.toml']
const ANSWER = /^submissions\/(accepted|wa|re|tle|mle|ole|ce|rv)\/[a-z0-9][a-z0-9_-]{0,60}\.py$/

interface Props {
  names: string[]
  shown: string
  changed: (name: string) => boolean
  onShow: (name: string) => void
  /** Absent: who looks may not write. */
  onAdd?: (name: string) => void
}

/** The folder: which file is shown, and which are changed and not saved. */
export function Files({ names, shown, changed, onShow, onAdd }: Props) {
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
    if (names.includes(name)) setError('It is there already.')
    else if (OPTIONAL.includes(name) || ANSWER.test(name)) {
      onAdd(name)
      setError('')
      event.currentTarget.reset()
    } else setError('For example submissions/wa/forgets-eps.py, or given.py, probes.py, gate.toml.')
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
