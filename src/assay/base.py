"""What every typed record of Assay shares."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable record that refuses unknown fields, so that a typo is an error and not a silent default."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")
