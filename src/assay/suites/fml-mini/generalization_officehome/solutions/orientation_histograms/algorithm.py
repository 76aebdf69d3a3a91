"""Histograms of gradient orientations in cells of the image: what a stroke does, whatever its texture and brightness."""

import numpy as np
from scipy.ndimage import gaussian_filter, sobel
from sklearn.svm import SVC

CELL = 4
BINS = 8
BLUR = 1.0


def features(images):
    """For every cell of CELL × CELL pixels, gradient magnitude by orientation; the square root evens out large values."""
    smooth = gaussian_filter(images, (0, BLUR, BLUR))
    down = np.array([sobel(image, 0) for image in smooth])
    right = np.array([sobel(image, 1) for image in smooth])
    magnitude = np.hypot(down, right)
    orientation = (np.arctan2(down, right) % np.pi) / np.pi * BINS
    histograms = []
    for k in range(BINS):
        gap = np.abs(orientation - k)
        weight = np.maximum(0.0, 1.0 - np.minimum(gap, BINS - gap))
        cells = (magnitude * weight).reshape(len(images), 16 // CELL, CELL, 16 // CELL, CELL).sum(axis=(2, 4))
        histograms.append(cells.reshape(len(images), -1))
    histogram = np.concatenate(histograms, axis=1)
    return np.sqrt(histogram / (histogram.sum(axis=1, keepdims=True) + 1e-9))


def fit_predict(domains, X_eval, seed):
    images = np.concatenate([X for X, _ in domains])
    labels = np.concatenate([y for _, y in domains])
    return SVC(C=10.0, gamma="scale").fit(features(images), labels).predict(features(X_eval))
