"""Tell praise from blame: logistic regression on counts of the commonest words."""

import csv

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

WORDS = 200
C = 0.1


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


train, test = read("train.csv"), read("test.csv")
counter = CountVectorizer(max_features=WORDS, binary=True)
X = counter.fit_transform(row["text"] for row in train)
model = LogisticRegression(C=C, max_iter=200).fit(X, [row["label"] for row in train])
predicted = model.predict(counter.transform(row["text"] for row in test))

with open("submission.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["id", "label"])
    writer.writerows([row["id"], label] for row, label in zip(test, predicted))
