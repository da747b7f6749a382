"""Converts TeX to one line of readable Unicode: \\frac{a}{b} is a/b, x^2 is x², \\sqrt{d_k} is √dₖ.

A TeX command that has no Unicode character is written as its name, so no part of the formula is lost.
"""

import re
import unicodedata

_TOKEN = re.compile(r"\\[A-Za-z]+|\\\\(?:\[\w+\])?|\\.|\s+|.", re.DOTALL)
_GREEK = {
    name: unicodedata.lookup(f"GREEK {case} LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")
    for case, names in (
        (
            "SMALL",
            "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau phi chi psi omega",
        ),
        ("CAPITAL", "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"),
    )
    for name in names.split()
}
_SYMBOLS = _GREEK | {
    "varepsilon": "ε", "varphi": "φ", "ell": "ℓ", "hbar": "ℏ", "partial": "∂", "nabla": "∇", "infty": "∞", "top": "⊤",
    "cdot": " · ", "times": " × ", "div": "÷", "pm": "±", "mp": "∓", "odot": "⊙", "otimes": "⊗", "oplus": "⊕", "circ": "∘",
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "∼", "propto": "∝",
    "ll": "≪", "gg": "≫", "in": "∈", "notin": "∉", "subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩",
    "ast": "∗", "emptyset": "∅", "forall": "∀", "exists": "∃", "land": "∧", "lor": "∨", "lnot": "¬", "neg": "¬",
    "to": "→", "rightarrow": "→", "leftarrow": "←", "gets": "←", "mapsto": "↦", "Rightarrow": "⇒", "Leftarrow": "⇐", "iff": "⇔",
    "sum": "∑", "prod": "∏", "int": "∫", "ldots": "…", "dots": "…", "cdots": "⋯", "vdots": "⋮", "ddots": "⋱",
    "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "lVert": "‖", "rVert": "‖", "Vert": "‖", "lvert": "|", "rvert": "|",
    "vert": "|", "mid": "|", "langle": "⟨", "rangle": "⟩", "prime": "′", "quad": "  ", "qquad": "    ", "colon": ":",
}  # fmt: skip
_ESCAPED = {"\\\\": "\n", "\\,": " ", "\\;": " ", "\\:": " ", "\\ ": " ", "\\!": "", "\\|": "‖"}
_SILENT = set("left right big Big bigg Bigg bigl bigr Bigl Bigr displaystyle textstyle limits nolimits".split())
_TEXTS = set(
    "text textrm textit textbf texttt mathrm mathbf mathit mathsf mathtt mathcal operatorname boldsymbol mathbb".split()
)
_ACCENTS = {"hat": "\u0302", "tilde": "\u0303", "bar": "\u0304", "overline": "\u0304", "dot": "\u0307", "vec": "\u20d7"}
_BOARD = dict(zip("ACEHNPQRZ", "𝔸ℂ𝔼ℍℕℙℚℝℤ", strict=True))
_RAISED = dict(
    zip("0123456789+−=()abcdefghijklmnoprstuvwxyz⊤T′∗", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀᵀ′*", strict=True)
)
_LOWERED = dict(zip("0123456789+−=()aehijklmnoprstuvx′", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ′", strict=True))


def to_unicode(tex: str) -> str:
    """Converts a formula, which is given without dollar signs. Returns a formula that is nested too deeply unchanged."""
    try:
        text = _Formula(_TOKEN.findall(tex.strip())).sequence("")
    except RecursionError:
        return tex
    text = unicodedata.normalize("NFC", text)
    text = re.sub(r"(?<=[⌊⌈⟨]) | (?=[⌋⌉⟩])", "", text)
    return "\n".join(re.sub(r"(?<=\S) {3,}", "    ", line).strip() for line in text.split("\n") if line.strip())


class _Formula:
    """Converts the tokens of a LaTeX formula to Unicode text, from left to right."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens, self._at = tokens, 0

    def sequence(self, end: str) -> str:
        """Converts all tokens up to the closing token `end`, or all remaining tokens if `end` does not occur."""
        parts: list[str] = []
        while (token := self._next()) not in ("", end):
            parts.append(self._atom(token))
        return re.sub(r"(?<=\S)  (?=\S)| {2,3}(?=[·×])|(?<=[·×]) {2,3}", " ", "".join(parts))

    def _next(self) -> str:
        token = self._tokens[self._at] if self._at < len(self._tokens) else ""
        self._at += 1
        return token

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _argument(self) -> str:
        while self._peek().isspace():
            self._at += 1
        return self._atom(self._next())

    def _atom(self, token: str) -> str:
        if token == "{":
            return self.sequence("}")
        if token in ("^", "_"):
            return _shifted(self._argument().strip(), token)
        if token.isspace() or token in ("&", "~"):
            return " "
        if token.startswith("\\") and len(token) > 1:
            return _ESCAPED.get(token[:2], token[1:]) if not token[1].isalpha() else self._command(token[1:])
        return {"-": "−", "'": "′", "*": "∗"}.get(token, token)

    def _command(self, name: str) -> str:
        if name in ("frac", "tfrac", "dfrac"):
            above, below = self._argument(), self._argument()
            return f"{_held(above)}/{_held(below)}"
        if name == "sqrt":
            degree = self.sequence("]") if self._peek() == "[" and self._next() else ""
            return f"{_shifted(degree, '^') if degree else ''}√{_held(self._argument())}"
        if name in _SILENT:
            if self._peek() == ".":
                self._at += 1
            return ""
        if name in ("begin", "end"):
            return "\n" if self._argument() == "cases" else ""
        if name in _TEXTS:
            text = self._argument()
            return "".join(_BOARD.get(each, each) for each in text) if name == "mathbb" else text
        if name in _ACCENTS:
            return self._argument() + _ACCENTS[name]
        return _SYMBOLS.get(name) or self._named(name)

    def _named(self, name: str) -> str:
        """Returns the name of a command that has no symbol, such as log. Adds a space if a letter or a command follows."""
        return f"{name} " if re.match(r"\w|\\[A-Za-z]", self._peek()) else name


def _held(text: str) -> str:
    """Puts the text in parentheses, unless it is a single unit such as a name, a number or a call."""
    text = text.strip()
    return text if re.fullmatch(r"[\w.]+|\w*\([^()]*\)|[√‖|⌊⟨(][\w]+[‖|⌋⟩)]?", text) else f"({text})"


def _shifted(text: str, way: str) -> str:
    """Writes the text as a superscript or subscript. If Unicode lacks a character for that, puts ^ or _ before the text."""
    letters = _RAISED if way == "^" else _LOWERED
    if text and all(letter in letters for letter in text):
        return "".join(letters[letter] for letter in text)
    return f"{way}{text}" if text.isalnum() or re.fullmatch(r"\(\w*\)|.?", text) else f"{way}({text})"
