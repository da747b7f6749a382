import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

interface Common extends Omit<NumberInputProps, 'value' | 'onChange' | 'min' | 'max'> {
  max: number
}
type Props = Common &
  (
    | { optional?: false; value: number; onChange: (value: number) => void }
    | { optional: true; value: number | null; onChange: (value: number | null) => void }
  )

/** A whole number from 1. A required field that is left empty restores its value. */
export function NumberField({ value, onChange, optional, ...rest }: Props) {
  const [empty, setEmpty] = useState(false)
  const set = (next: string | number) => {
    if (typeof next === 'number') {
      setEmpty(false)
      onChange(next)
    } else if (optional) onChange(null)
    else setEmpty(true)
  }
  return (
    <NumberInput
      {...rest}
      min={1}
      clampBehavior="strict"
      allowDecimal={false}
      allowNegative={false}
      value={empty ? '' : (value ?? '')}
      onChange={set}
      onBlur={() => setEmpty(false)}
    />
  )
}
