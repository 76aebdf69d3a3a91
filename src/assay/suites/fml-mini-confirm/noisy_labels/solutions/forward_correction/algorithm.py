"""Loss correction: estimate how labels get confused from confident rows, then fit a linear model through that confusion."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

COMPONENTS = 300
L2 = 0.003
CONFIDENT = 15


def fit_predict(X, y, X_eval, seed):
    lift = RBFSampler(gamma=0.08, n_components=COMPONENTS, random_state=seed).fit(X)
    Z, Z_eval = lift.transform(X) * 4, lift.transform(X_eval) * 4
    seen = cross_val_predict(LogisticRegression(C=0.1, max_iter=200), Z, y, cv=3, method="predict_proba")
    # what the model says about the rows it holds for class c with most confidence is how class c gets labelled
    confusion = np.array([seen[np.argsort(seen[:, c])[-CONFIDENT:]].mean(axis=0) for c in range(10)])
    target = np.eye(10)[y]

    def loss(flat):
        W = flat.reshape(-1, 10)
        clean = softmax(Z @ W, axis=1)
        noisy = clean @ confusion + 1e-9
        value = -np.mean(np.log((noisy * target).sum(axis=1))) + L2 * (W**2).sum() / 2
        back = -(target / noisy) @ confusion.T / len(y)
        by_logits = clean * (back - (clean * back).sum(axis=1, keepdims=True))
        return value, (Z.T @ by_logits + L2 * W).ravel()

    start = np.zeros(Z.shape[1] * 10)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 150})
    return (Z_eval @ found.x.reshape(-1, 10)).argmax(axis=1)
