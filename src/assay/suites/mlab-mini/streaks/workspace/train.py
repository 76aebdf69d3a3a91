"""Finds streaks pixel by pixel: a logistic regression on the colour of one pixel, cut at a threshold.

Reads train.npz and test.npz, writes submission.csv, and prints the Dice on a part of the training images.
"""

import numpy as np
from encoding import write_submission
from sklearn.linear_model import LogisticRegression

THRESHOLD = 0.5
CLASS_WEIGHT = "balanced"
REGULARISATION = 1.0
HELD_OUT = 60  # training images that are kept for the printed figure


def features(images):
    """One row of numbers for every pixel."""
    return images.reshape(-1, 3)


def fit(images, masks):
    model = LogisticRegression(C=REGULARISATION, class_weight=CLASS_WEIGHT, max_iter=300)
    return model.fit(features(images), masks.ravel())


def predict(model, images):
    """One mask for every image."""
    probability = model.predict_proba(features(images))[:, 1]
    return (probability > THRESHOLD).reshape(images.shape[:3])


def dice(answer, truth):
    """Over the pixels of all images together."""
    return 2 * np.sum(answer & truth) / (answer.sum() + truth.sum())


def main():
    train, test = np.load("train.npz"), np.load("test.npz")
    images, masks = train["images"], train["masks"]
    held_out = predict(fit(images[HELD_OUT:], masks[HELD_OUT:]), images[:HELD_OUT])
    print(f"dice on {HELD_OUT} training images: {dice(held_out, masks[:HELD_OUT]):.4f}")
    answers = predict(fit(images, masks), test["images"])
    write_submission("submission.csv", test["ids"], answers)


if __name__ == "__main__":
    main()
