/**
 * What torch says about its names: signatures and first paragraphs, loaded once an editor needs them. The file is written by
 * scripts/torch_docs.py.
 */
export interface Entry {
  /** The full name, such as `torch.nn.functional.softmax`. */
  path: string
  signature: string
  paragraph: string
}
type Names = Record<string, Record<string, [signature: string, paragraph: string]>>

const FILE = '/torch-docs.json'
/** What is usually written before a dot, and the folder that it stands for. */
const ALIASES: Record<string, string> = {
  F: 'torch.nn.functional',
  functional: 'torch.nn.functional',
  nn: 'torch.nn',
  init: 'torch.nn.init',
  optim: 'torch.optim',
  lr_scheduler: 'torch.optim.lr_scheduler',
  autograd: 'torch.autograd',
  self: 'torch.nn.Module',
}
/** Where classes are looked up that are written without a folder, because they were imported by name. */
const CLASSES = ['torch.nn', 'torch.optim', 'torch.optim.lr_scheduler', 'torch.utils.data', 'torch']

let names: Names | undefined
let loading: Promise<void> | undefined

/** Loads the file, once. Without a connection nothing is known, and the next call tries again. */
export function loadTorchDocs(): Promise<void> {
  loading ??= fetch(FILE)
    .then(response => (response.ok ? response.json() : Promise.reject(response)))
    .then(found => setTorchDocs(found.names))
    .catch(() => {
      loading = undefined
    })
  return loading
}

/** For tests, which have no service. */
export function setTorchDocs(found: Names) {
  names = found
}

/** Returns the folder or class that the text before a dot stands for. Any other value is taken for a tensor. */
export function placeOf(before: string): string {
  const [first = '', ...rest] = before.split('.')
  const path = [ALIASES[first] ?? first, ...rest].join('.')
  return path === 'torch' || names?.[path] ? path : 'torch.Tensor'
}

/** Returns all entries of a folder or class. */
export function entriesOf(place: string): Entry[] {
  return Object.keys(names?.[place] ?? {}).flatMap(name => entry(place, name) ?? [])
}

/** Returns the entry of an expression such as `F.softmax`, `x.view` or `Linear`. */
export function lookUp(expression: string): Entry | undefined {
  const dot = expression.lastIndexOf('.')
  const name = expression.slice(dot + 1)
  if (dot >= 0) return entry(placeOf(expression.slice(0, dot)), name)
  if (!/^[A-Z]/.test(name)) return undefined
  return CLASSES.map(place => entry(place, name)).find(Boolean)
}

function entry(place: string, name: string): Entry | undefined {
  const places = names?.[place]
  const found = places && Object.hasOwn(places, name) ? places[name] : undefined
  return found && { path: `${place}.${name}`, signature: found[0], paragraph: found[1] }
}

/** Shows an entry as the content of a tooltip. */
export function showEntry({ path, signature, paragraph }: Entry): HTMLElement {
  const box = document.createElement('div')
  box.className = 'cm-torch-docs'
  for (const [tag, text] of [
    ['code', signature || path],
    ['p', paragraph],
  ] as const) {
    const part = document.createElement(tag)
    part.textContent = text
    if (text) box.append(part)
  }
  return box
}
