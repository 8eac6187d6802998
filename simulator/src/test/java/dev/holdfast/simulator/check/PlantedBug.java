package dev.holdfast.simulator.check;

/** What is wrong with the lock that a random history is played on, now and then. */
enum PlantedBug {
    NONE,
    GRANTS_WHILE_HELD,
    REPEATS_A_TOKEN,
    LOSES_A_RELEASE,
    READS_THE_STATE_BEFORE,
    DENIES_WHEN_FREE,
    GRANTS_WHAT_IT_DENIES,
    RELEASES_WITH_AN_OLD_TOKEN
}
