"""A small corpus of our own: fifteen short documents on four topics, to see tf-idf at work."""

import numpy as np

_DOCUMENTS = [
    ("cooking", "Melt the butter in a pan, add the onions and let them turn soft and golden."),
    ("cooking", "Knead the dough with flour and a pinch of salt, then let it rest under a towel."),
    ("cooking", "Stir the soup slowly, taste it, and add salt, pepper and a little butter."),
    ("cooking", "Bake the bread in a hot oven until the crust is golden and sounds hollow."),
    ("astronomy", "The telescope gathers light from a faint galaxy and shows the stars in its arms."),
    ("astronomy", "A planet moves in an ellipse around its star, and the orbit is slow far away."),
    ("astronomy", "When the moon hides the sun, the bright stars and a planet or two appear by day."),
    ("astronomy", "The light of a distant star tells of the gas in its hot outer layers."),
    ("football", "The striker took the ball past two defenders and scored in the last minute."),
    ("football", "A draw was fair: each team missed a penalty and the goalkeeper saved the rest."),
    ("football", "The coach changed the team at half time, and the defenders won every ball."),
    ("football", "After the late goal the crowd sang, and the referee ended the match."),
    ("gardening", "Water the tomatoes in the evening and tie the young plants to a stick."),
    ("gardening", "Sow the seeds in rows, cover them with soil, and keep the bed moist until they sprout."),
    ("gardening", "Prune the roses in spring, when the soil is warm, and the plants will flower longer."),
]


def load_corpus() -> tuple[list[str], np.ndarray]:
    """The documents, a list of strings, and the topic of each, an array of strings."""
    topics, documents = zip(*_DOCUMENTS, strict=True)
    return list(documents), np.array(topics)
