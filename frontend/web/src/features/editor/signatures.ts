/** Shows the signature of a call while the cursor is inside it, for functions that challenges commonly use. */
import { syntaxTree } from '@codemirror/language'
import { type EditorState, StateField } from '@codemirror/state'
import { showTooltip, type Tooltip } from '@codemirror/view'

const KNOWN = `arange(start=0, end, step=1, *, dtype=None, device=None)
as_strided(input, size, stride, storage_offset=None)
bmm(input, mat2)
cat(tensors, dim=0)
clamp(input, min=None, max=None)
conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)
cross_entropy(input, target, weight=None, ignore_index=-100, reduction='mean', label_smoothing=0.0)
cumsum(input, dim)
einsum(equation, *operands)
embedding(input, weight, padding_idx=None)
expand(*sizes)
flatten(input, start_dim=0, end_dim=-1)
full(size, fill_value, *, dtype=None, device=None)
gather(input, dim, index)
index_add(dim, index, source, *, alpha=1)
layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05)
linear(input, weight, bias=None)
log_softmax(input, dim)
logsumexp(input, dim, keepdim=False)
masked_fill(mask, value)
matmul(input, other)
max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1)
mean(input, dim=None, keepdim=False)
mse_loss(input, target, reduction='mean')
normalize(input, p=2.0, dim=1, eps=1e-12)
one_hot(tensor, num_classes=-1)
ones(*size, dtype=None, device=None, requires_grad=False)
outer(input, vec2)
pad(input, pad, mode='constant', value=None)
permute(*dims)
rand(*size, generator=None, dtype=None, device=None)
randn(*size, generator=None, dtype=None, device=None)
register_buffer(name, tensor, persistent=True)
repeat_interleave(input, repeats, dim=None)
reshape(input, shape)
scatter(dim, index, src)
scatter_add(dim, index, src)
softmax(input, dim)
sort(input, dim=-1, descending=False, stable=False)
split(tensor, split_size_or_sections, dim=0)
squeeze(input, dim=None)
stack(tensors, dim=0)
std(input, dim=None, *, correction=1, keepdim=False)
sum(input, dim=None, keepdim=False)
tensor(data, *, dtype=None, device=None, requires_grad=False)
topk(input, k, dim=-1, largest=True, sorted=True)
transpose(input, dim0, dim1)
tril(input, diagonal=0)
triu(input, diagonal=0)
unfold(input, kernel_size, dilation=1, padding=0, stride=1)
unsqueeze(input, dim)
var(input, dim=None, *, correction=1, keepdim=False)
view(*shape)
where(condition, input, other)
zeros(*size, dtype=None, device=None, requires_grad=False)
Conv2d(in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True)
Dropout(p=0.5)
Embedding(num_embeddings, embedding_dim, padding_idx=None)
LayerNorm(normalized_shape, eps=1e-05, elementwise_affine=True, bias=True)
Linear(in_features, out_features, bias=True)
Parameter(data, requires_grad=True)`
const BY_NAME = new Map(KNOWN.split('\n').map(line => [line.slice(0, line.indexOf('(')), line]))

function around(state: EditorState): readonly Tooltip[] {
  const { head, empty } = state.selection.main
  if (!empty) return []
  let node = syntaxTree(state).resolveInner(head, -1)
  while (node.name !== 'ArgList' && node.parent) node = node.parent
  if (node.name !== 'ArgList' || head <= node.from || head >= node.to) return []
  const name = /(\w+)$/.exec(state.doc.sliceString(Math.max(0, node.from - 60), node.from))?.[1]
  const signature = name && BY_NAME.get(name)
  return signature ? [tip(node.from, signature)] : []
}

const tip = (pos: number, signature: string): Tooltip => ({
  pos,
  above: true,
  create: () => {
    const dom = document.createElement('div')
    dom.textContent = signature
    dom.style.cssText =
      'padding: 2px 8px; font-family: var(--mantine-font-family-monospace); font-size: 0.85em'
    return { dom }
  },
})

export const signatures = StateField.define<readonly Tooltip[]>({
  create: around,
  update: (tips, change) => (change.docChanged || change.selection ? around(change.state) : tips),
  provide: field => showTooltip.computeN([field], state => state.field(field)),
})
