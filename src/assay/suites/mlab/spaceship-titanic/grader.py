from assay.tasks.mlab.predictions import Predictions, Table, accuracy

PASSENGERS = Predictions("mlab/spaceship-titanic", ("Transported",), accuracy("Transported", ("False", "True")))
prepare, grade = PASSENGERS.prepare, PASSENGERS.grade
# who travels together vanishes together: a group on both sides would tell
arrange = Table(
    PASSENGERS,
    "train.csv",
    id="PassengerId",
    columns=("HomePlanet", "CryoSleep", "Cabin", "Destination", "Age", "VIP", "RoomService", "Spa", "VRDeck"),
    group=lambda row: row["id"].partition("_")[0],
).arrange
