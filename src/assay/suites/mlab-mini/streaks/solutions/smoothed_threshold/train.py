"""The starter's pixel model, with colours of the neighbourhood among its features and the threshold chosen for Dice."""

import numpy as np
from encoding import write_submission
from scipy.ndimage import gaussian_filter
from sklearn.linear_model import LogisticRegression

WIDTHS = (0.7, 1.5, 3.0)
HELD_OUT = 60


def features(images):
    blurred = [gaussian_filter(images, (0, width, width, 0)) for width in WIDTHS]
    return np.concatenate([images, *blurred], axis=-1).reshape(-1, 3 + 3 * len(WIDTHS))


def fit(images, masks):
    return LogisticRegression(max_iter=500).fit(features(images), masks.ravel())


def best_threshold(probability, truth):
    def dice(threshold):
        answer = probability > threshold
        return 2 * np.sum(answer & truth) / max(1, answer.sum() + truth.sum())

    return max(np.linspace(0.05, 0.95, 91), key=dice)


def main():
    train, test = np.load("train.npz"), np.load("test.npz")
    images, masks = train["images"], train["masks"]
    part = fit(images[HELD_OUT:], masks[HELD_OUT:])
    held_out = part.predict_proba(features(images[:HELD_OUT]))[:, 1]
    threshold = best_threshold(held_out, masks[:HELD_OUT].ravel())
    probability = fit(images, masks).predict_proba(features(test["images"]))[:, 1]
    answers = (probability > threshold).reshape(test["images"].shape[:3])
    write_submission("submission.csv", test["ids"], answers)


if __name__ == "__main__":
    main()
