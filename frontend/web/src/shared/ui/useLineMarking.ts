/** The gestures with which people mark lines of code. */
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { holdsLine, type LineRange, rangeAt, withLines } from './lineRanges'

interface Drag {
  from: number
  to: number
  /** Whether the lines become marked, or stop being marked. */
  on: boolean
}

export function useLineMarking(marked: LineRange[], count: number, onMark: (marked: LineRange[]) => void) {
  const list = useRef<HTMLOListElement>(null)
  const [focused, setFocused] = useState(1)
  const [drag, setDrag] = useState<Drag>()
  /** The line that was tapped first on a touch screen, until the last one is tapped. */
  const [first, setFirst] = useState<number>()
  const shown = drag ? withLines(marked, drag.from, drag.to, drag.on) : marked

  useEffect(() => {
    if (!drag) return
    const end = () => {
      setDrag(undefined)
      onMark(withLines(marked, drag.from, drag.to, drag.on))
    }
    window.addEventListener('pointerup', end)
    return () => window.removeEventListener('pointerup', end)
  }, [drag, marked, onMark])

  const tap = (line: number) => {
    const range = rangeAt(marked, line)
    if (first !== undefined && first !== line) {
      setFirst(undefined)
      onMark(withLines(marked, first, line, true))
    } else if (range) {
      setFirst(undefined)
      // The second tap on the first line leaves this line marked alone.
      if (first === undefined) onMark(withLines(marked, range[0], range[1], false))
    } else {
      setFirst(line)
      onMark(withLines(marked, line, line, true))
    }
  }

  const press = (line: number) => (event: PointerEvent) => {
    setFocused(line)
    if (event.pointerType === 'touch') return
    // Releases the capture of a pen, so that the pointer enters the other lines.
    event.currentTarget.releasePointerCapture?.(event.pointerId)
    if (event.shiftKey) onMark(withLines(marked, focused, line, true))
    else setDrag({ from: line, to: line, on: !holdsLine(marked, line) })
  }

  const type = (line: number) => (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0) {
      event.preventDefault()
      const next = Math.min(count, Math.max(1, line + by))
      setFocused(next)
      list.current?.querySelectorAll('button')[next - 1]?.focus()
      if (event.shiftKey) onMark(withLines(marked, line, next, true))
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      onMark(withLines(marked, line, line, !holdsLine(marked, line)))
    }
  }

  /** The handlers of the button of a line. */
  const handlers = (line: number) => ({
    onPointerDown: press(line),
    onPointerEnter: () => setDrag(before => before && { ...before, to: line }),
    onPointerUp: (event: PointerEvent) => event.pointerType === 'touch' && tap(line),
    onKeyDown: type(line),
    // A screen reader presses the button without a pointer.
    onClick: (event: MouseEvent) =>
      event.detail === 0 && onMark(withLines(marked, line, line, !holdsLine(marked, line))),
  })
  return { list, shown, focused: Math.min(focused, count), first, handlers }
}
