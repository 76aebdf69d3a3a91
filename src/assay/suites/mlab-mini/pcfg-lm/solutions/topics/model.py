"""Back-off counts of two texts: the whole one, and on top of it the paragraphs on the topic of the context."""

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

ORDER = 5
TOPICS = 4
TRUST = 4.0  # how many different symbols the whole text's answer counts for beside the topic's


def fit_predict(train, contexts, symbols, seed):
    size = len(symbols)
    own, topics = by_topic(train, contexts, symbols, seed)
    found = np.full((len(contexts), size), 1 / size)
    everything = np.ones(len(train), dtype=bool)
    for order in range(ORDER + 1):
        found = refined(found, following(train, everything, contexts, order, size), 1.0)
        for topic in range(TOPICS) if order else ():
            rows = topics == topic
            found[rows] = refined(found[rows], following(train, own == topic, contexts[rows], order, size), TRUST)
    return found


def by_topic(train, contexts, symbols, seed):
    """The topic of every place of the text, by its paragraph, and of every context, by its last line."""
    text = decoded(train, symbols)
    lines = text.split("\n")
    parts = [decoded(context, symbols).rpartition("\n")[2] for context in contexts]
    # the first and the last word of a part may be cut
    parts = [" ".join(part.split(" ")[:-1]) for part in parts]
    words = TfidfVectorizer(token_pattern="[a-z]+", sublinear_tf=True, min_df=2, max_df=0.3).fit(lines)
    space = TruncatedSVD(12, random_state=seed).fit(words.transform(lines))
    groups = KMeans(TOPICS, n_init=5, random_state=seed).fit(normalize(space.transform(words.transform(lines))))
    of_lines = np.repeat(groups.labels_, [len(line) + 1 for line in lines])[: len(train)]
    known = words.transform(parts)
    of_parts = groups.predict(normalize(space.transform(known)))
    return of_lines, np.where(known.getnnz(axis=1) > 0, of_parts, -1)


def decoded(codes, symbols):
    return "".join(np.array(list(symbols))[codes])


def refined(found, counts, trust):
    """Witten and Bell: symbols that were not seen get the share of the different ones that were."""
    total, kinds = counts.sum(axis=1, keepdims=True), trust * (counts > 0).sum(axis=1, keepdims=True)
    return np.where(total > 0, (counts + kinds * found) / np.maximum(total + kinds, 1), found)


def following(train, allowed, contexts, order, size):
    """How often each symbol followed the last `order` symbols of each context, at the allowed places of the text."""
    places = np.flatnonzero(allowed[order:]) + order
    codes, wanted = np.zeros(len(places), np.int64), np.zeros(len(contexts), np.int64)
    for back in range(order, 0, -1):
        codes = codes * size + train[places - back]
        wanted = wanted * size + contexts[:, -back]
    known, row = np.unique(wanted, return_inverse=True)
    place = np.minimum(np.searchsorted(known, codes), len(known) - 1)
    hit = known[place] == codes
    counts = np.zeros((len(known), size))
    np.add.at(counts, (place[hit], train[places[hit]]), 1.0)
    return counts[row]
