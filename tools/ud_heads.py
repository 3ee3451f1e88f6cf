"""English Universal Dependencies by en_ud_model (AllenAI, Apache-2.0; UAS 90 by its own account), a model of spaCy 2
that today's spaCy does not read. So it runs in an environment of its own and knows nothing of Tertium:

    python3 -m venv ud && ud/bin/pip install 'spacy==2.3.9' 'numpy<2' setuptools wheel
    ud/bin/pip install --no-deps --no-build-isolation en_ud_model==1.1.0
    ud/bin/python tools/ud_heads.py texts.en > heads.conllu

Words, tags, heads and relations; lemmas and features come from elsewhere (`tools/parsed_table.py --heads`).
"""

import sys
import warnings
from pathlib import Path

warnings.simplefilter("ignore")  # the model was made with an earlier spaCy 2; the parses are sound
import en_ud_model  # noqa: E402
from spacy.morphology import Morphology  # noqa: E402
from spacy.symbols import POS  # noqa: E402


def loaded():
    """The model without the features of its tags, whose names later versions do not know."""
    found = en_ud_model.load()
    known = found.vocab.morphology
    tags = {tag: {POS: values[POS]} for tag, values in known.tag_map.items()}
    found.vocab.morphology = Morphology(found.vocab.strings, tags, known.lemmatizer)
    return found


def main() -> None:
    lines = [line for path in sys.argv[1:] for line in Path(path).read_text("utf-8").split("\n")]
    texts = [text for text in dict.fromkeys(" ".join(line.split()) for line in lines) if text]
    for parsed in loaded().pipe(texts, batch_size=200):
        for number, sentence in enumerate(parsed.sents):
            print("# newdoc" * (number == 0), f"# text = {sentence.text}", sep="\n" * (number == 0))
            for token in sentence:
                root = token.head.i == token.i
                head, relation = (0, "root") if root else (token.head.i - sentence.start + 1, token.dep_)
                place = token.i - sentence.start + 1
                end = token.i + 1 == sentence.end
                glued = "_" if token.whitespace_ or end else "SpaceAfter=No"
                tags = f"{token.pos_}\t{token.tag_}"
                print(f"{place}\t{token.text}\t_\t{tags}\t_\t{head}\t{relation}\t_\t{glued}")
            print()


if __name__ == "__main__":
    main()
