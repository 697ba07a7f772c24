"""Made-up memories that belong together, and some that do not."""

BACKUPS = (
    "PostgreSQL backups run every night at 2:30 on the staging server",
    "PostgreSQL backups on staging failed because the disk was full",
    "The PostgreSQL backups of staging are kept for 35 days in Zurich",
    "Marcus restored the PostgreSQL backups of staging on 3 March 2026",
)
APART = (
    "User prefers tea in the morning",
    "User prefers dark mode in the editor",
    "User prefers to travel by train",
    "User never wants the parser rewritten in Rust",
    "Ada Lovelace reviews every change of the tokenizer",
)
SAME_WORDS = (
    "Rain fell on the slate roof of the old mill for 5 hours at night",
    "Rain fell on the slate roof of the old mill for 6 hours at dawn",
    "Rain fell on the slate roof of the old mill for 7 hours at noon",
)
RELEASES = (
    """Monday release. We ran the migrations, built the image and then deployed to staging.
Alice was away. Lesson: Always run the migrations before the deploy.""",
    """We fixed the login page. Ran the migrations, built the image, then deployed to staging.
Always run the migrations before a deploy!""",
    """Quarterly release with the partners.
We ran the migrations and built the image and deployed to staging.
Always run migrations before the deploy.""",
)
BICYCLES = (
    "The red bicycle needs a new chain before the Alps tour",
    "The chain of the red bicycle was oiled for the tour",
    "For the Alps tour the red bicycle got wider tyres, 28 mm",
)
BREAD = (
    "We feed the sourdough starter with rye flour and never with spelt",
    "Rye flour for the sourdough starter comes from the Bakewell mill",
    "A litre jar holds the sourdough starter and 400 g of rye flour",
)
TREES = ["oak", "elm", "fir", "ash", "yew", "birch", "maple", "pine", "larch", "willow", "alder"]
PLACES = ["lake", "road", "mill", "bank", "shop", "park", "inn", "barn", "dock", "school", "hut"]
PLANTED = tuple(
    f"The {tree} near the {place} was planted in {1900 + number}"
    for number, (tree, place) in enumerate(zip(TREES, PLACES, strict=True))
)
