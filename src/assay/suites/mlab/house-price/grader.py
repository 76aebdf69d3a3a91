from assay.tasks.mlab.predictions import Predictions, Table, mean_absolute_error

PRICES = Predictions("mlab/house-price", ("SalePrice",), mean_absolute_error("SalePrice"))
prepare, grade = PRICES.prepare, PRICES.grade
arrange = Table(PRICES, "train.csv", id="Id", columns=("LotArea", "OverallQual", "YearBuilt", "GrLivArea")).arrange
