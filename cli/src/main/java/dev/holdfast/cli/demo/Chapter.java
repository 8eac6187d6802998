package dev.holdfast.cli.demo;

/** One story of the demonstration. */
interface Chapter {
    String title();

    /** What it has shown, once it came out right. */
    String shown();

    /**
     * Plays it, and tells it as it goes.
     *
     * @throws DemoFailure if something is not as it must be
     */
    void play(Stage stage) throws Exception;
}
