"""Random styles for training (turn, shift, blur, contrast, texture, noise), standardised images, RBF support vectors."""

import numpy as np
from scipy.ndimage import gaussian_filter, rotate, shift
from sklearn.svm import SVC

COPIES = 2
ANGLE = 25.0
SHIFT = 1.5
TEXTURE = 0.6


def restyle(images, rng):
    moved = [
        shift(rotate(image, rng.uniform(-ANGLE, ANGLE), reshape=False, order=1), rng.uniform(-SHIFT, SHIFT, 2), order=1)
        for image in images
    ]
    moved = gaussian_filter(np.array(moved), (0, *rng.uniform(0.0, 1.0, 2)))
    texture = gaussian_filter(rng.random(images.shape), (0, 1.5, 1.5))
    texture = (texture - texture.min()) / (texture.max() - texture.min())
    contrast = rng.uniform(0.4, 1.0, (len(images), 1, 1))
    amount = rng.uniform(0.0, TEXTURE, (len(images), 1, 1))
    return np.clip(contrast * moved + amount * texture + rng.normal(0.0, 0.1, images.shape), 0, 1)


def features(images):
    images = images - images.mean(axis=(1, 2), keepdims=True)
    images = images / (images.std(axis=(1, 2), keepdims=True) + 1e-6)
    return images.reshape(len(images), -1)


def fit_predict(domains, X_eval, seed):
    rng = np.random.default_rng(seed)
    images = np.concatenate([X for X, _ in domains])
    labels = np.concatenate([y for _, y in domains])
    augmented = [images, *(restyle(images, rng) for _ in range(COPIES))]
    classifier = SVC(C=10.0, gamma="scale").fit(features(np.concatenate(augmented)), np.tile(labels, COPIES + 1))
    return classifier.predict(features(X_eval))
