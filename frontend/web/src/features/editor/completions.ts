/** Completes names after `torch.`, `F.`, `nn.` and `.`, and words of the text. */
import { type CompletionContext, type CompletionResult, completeAnyWord } from '@codemirror/autocomplete'

const words = (text: string) => text.trim().split(/\s+/)
const TORCH =
  words(`abs add addcmul addmm all allclose amax amin any arange argmax argmin argsort as_strided as_tensor atan2 autograd
  baddbmm bernoulli bfloat16 bincount bmm bool broadcast_shapes broadcast_tensors bucketize cat cdist ceil chunk clamp clone complex64
  concat conj cos cosh count_nonzero cross cummax cumprod cumsum diag diag_embed diagonal diff div dot einsum empty empty_like eq equal
  erf exp expm1 eye finfo fill flatten flip float16 float32 float64 floor frac full full_like func gather ge Generator gt hstack iinfo
  inference_mode int32 int64 index_select inf inner inverse is_floating_point is_tensor isclose isfinite isinf isnan kthvalue le lerp
  linalg linspace log log1p log2 log_softmax logical_and logical_not logical_or logsumexp lt manual_seed masked_fill masked_select matmul
  max maximum mean median meshgrid min minimum mm movedim mul multinomial nan nan_to_num narrow ne neg no_grad nonzero norm normal numel
  ones ones_like outer permute poly polar pow prod promote_types quantile rand randint randn randn_like randperm reciprocal relu
  repeat_interleave reshape result_type roll rot90 round rsqrt scatter scatter_add searchsorted sigmoid sign sin sinh softmax sort split
  sqrt square squeeze stack std std_mean sub sum take take_along_dim tan tanh tensor tensordot topk trace transpose tril triu true_divide
  unbind unfold unique unsqueeze var var_mean view_as_complex view_as_real vmap vstack where zeros zeros_like`)
const FUNCTIONAL =
  words(`adaptive_avg_pool2d avg_pool2d batch_norm binary_cross_entropy_with_logits conv1d conv2d cosine_similarity
  cross_entropy dropout embedding fold gelu glu group_norm huber_loss instance_norm interpolate kl_div l1_loss layer_norm leaky_relu
  linear log_softmax logsigmoid max_pool2d mse_loss nll_loss normalize one_hot pad pixel_shuffle relu rms_norm
  scaled_dot_product_attention selu sigmoid silu smooth_l1_loss softmax softplus tanh unfold`)
const MODULES =
  words(`AdaptiveAvgPool2d AvgPool2d BatchNorm1d BatchNorm2d BCEWithLogitsLoss Buffer Conv1d Conv2d CrossEntropyLoss Dropout
  Embedding Flatten functional GELU GroupNorm Identity init Linear LayerNorm LeakyReLU LSTM MaxPool2d Module ModuleDict ModuleList
  MSELoss MultiheadAttention Parameter ParameterList ReLU RMSNorm Sequential Sigmoid SiLU Softmax Tanh TransformerEncoderLayer utils`)
const METHODS =
  words(`abs add_ all amax amin any argmax argmin argsort backward bool chunk clamp clone contiguous copy_ cos cpu cumsum
  data_ptr detach device diagonal dim div_ double dtype element_size exp expand expand_as fill_ flatten flip float gather grad grad_fn
  half index_add index_copy index_fill is_contiguous is_leaf isfinite isinf isnan item log logsumexp long masked_fill masked_fill_
  masked_select max mean min mT mul_ narrow ndim new_empty new_full new_ones new_zeros norm numel permute pow prod register_hook repeat
  repeat_interleave requires_grad requires_grad_ reshape retain_grad roll round rsqrt scatter scatter_ scatter_add shape sigmoid sin size
  softmax sort split sqrt square squeeze std stride sub_ sum T tanh to tolist topk transpose tril triu type_as unbind unflatten unfold
  unsqueeze untyped_storage values var view view_as where zero_`)
const AFTER: Record<string, string[]> = { torch: TORCH, F: FUNCTIONAL, functional: FUNCTIONAL, nn: MODULES }

export function completions(
  context: CompletionContext,
): CompletionResult | Promise<CompletionResult | null> | null {
  const dotted = context.matchBefore(/(\w+|\)|\])\.\w*$/)
  if (dotted) {
    const dot = dotted.text.lastIndexOf('.')
    const names = AFTER[dotted.text.slice(0, dot)] ?? METHODS
    return {
      from: dotted.from + dot + 1,
      options: names.map(label => ({ label, type: 'function' })),
      validFor: /^\w*$/,
    }
  }
  const word = context.matchBefore(/\w{2,}$/)
  return word || context.explicit ? completeAnyWord(context) : null
}
