"""Rate six skills of a writer from an essay. Reads train.csv and test.csv, leaves submission.csv.

Measures of each text beside its groups of letters, and ridge regression.
"""

import csv
import itertools
from collections import Counter
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler

SKILLS = ["cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions"]
CONNECTIVES = {"however", "therefore", "moreover", "although", "because", "thus"}
ENDINGS = ("s", "ed")
FREQUENT = 8
PAIRS = 20
SHORTEST, LONGEST = 2, 4
MEASURES_WEIGHT = 0.3
PENALTY = 3.0
HELD_OUT = 0.2


def read(path):
    with Path(path).open(newline="") as file:
        return list(csv.DictReader(file))


def measures(texts, lexicon):
    """Lengths, variety, endings, spelling, pairs, capitals and connectives of each text, as numbers."""
    frequent, pairs = lexicon
    rows = []
    for text in texts:
        words = tokens(text)
        sizes = np.array([len(word) for word in words])
        stops, capitals = text.count("."), sum(letter.isupper() for letter in text)
        links = sum(word in CONNECTIVES for word in words)
        unknown = [word for word in words if word not in frequent]
        rows.append(
            [
                len(words),
                sizes.mean(),
                sizes.std(),
                np.mean(sizes >= 8),
                len(set(words)) / len(words),
                links,
                links / len(words),
                stops,
                capitals,
                len(words) / max(stops, 1),
                len(unknown) / len(words),
                np.mean([word.endswith(ENDINGS) and word not in CONNECTIVES for word in words]),
                np.mean([swapped(word, frequent) for word in unknown or [""]]) * len(unknown) / len(words),
                np.mean([pair in pairs for pair in itertools.pairwise(words)]),
            ]
        )
    return np.array(rows, float)


def tokens(text):
    return [token.strip(".").lower() for token in text.split()]


def swapped(word, frequent):
    """A known word with two letters in the wrong order."""
    return any(word[:k] + word[k + 1] + word[k] + word[k + 2 :] in frequent for k in range(len(word) - 1))


def learn_lexicon(texts):
    """Words that occur often, and pairs of neighbours that occur much more often than two words by chance."""
    counts = Counter(word for text in texts for word in tokens(text))
    pairs = Counter(pair for text in texts for pair in itertools.pairwise(tokens(text)))
    return {word for word, count in counts.items() if count >= FREQUENT}, {pair for pair, _ in pairs.most_common(PAIRS)}


def fit(texts, ratings):
    lexicon = learn_lexicon(texts)
    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(SHORTEST, LONGEST), min_df=3, sublinear_tf=True).fit(
        texts
    )
    scaler = StandardScaler().fit(measures(texts, lexicon))
    parts = lexicon, letters, scaler
    return parts, Ridge(alpha=PENALTY).fit(table(parts, texts), ratings)


def table(parts, texts):
    lexicon, letters, scaler = parts
    numbers = MEASURES_WEIGHT * scaler.transform(measures(texts, lexicon))
    return sparse.hstack([letters.transform(texts), sparse.csr_matrix(numbers)]).tocsr()


def predict(model, texts):
    """One row a text, one column a skill."""
    parts, ridge = model
    return ridge.predict(table(parts, texts))


def main():
    train, test = read("train.csv"), read("test.csv")
    texts = [row["full_text"] for row in train]
    ratings = np.array([[float(row[name]) for name in SKILLS] for row in train])
    kept = int(len(train) * (1 - HELD_OUT))
    answers = predict(fit(texts[:kept], ratings[:kept]), texts[kept:])
    errors = np.sqrt(np.mean((answers - ratings[kept:]) ** 2, axis=0))
    print("RMSE on held-out training essays:", *(f"{name} {e:.3f}" for name, e in zip(SKILLS, errors, strict=True)))
    print(f"mean of the six: {errors.mean():.4f}")

    answers = predict(fit(texts, ratings), [row["full_text"] for row in test])
    with Path("submission.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", *SKILLS])
        writer.writerows([row["id"], *(f"{value:.4f}" for value in a)] for row, a in zip(test, answers, strict=True))


if __name__ == "__main__":
    main()
