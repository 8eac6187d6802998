package dev.holdfast.cli.talk;

import dev.holdfast.cli.exit.ExitCode;
import dev.holdfast.cli.output.Ink;
import dev.holdfast.cli.output.Streams;
import dev.holdfast.transcript.Difference;
import dev.holdfast.transcript.Transcript;
import dev.holdfast.transcript.TranscriptRun;
import dev.holdfast.transcript.step.TranscriptException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code holdfast play}: plays transcripts and says where they are wrong. */
@Command(
        name = "play",
        description = {
            "Runs transcripts on a lock machine and prints them with the actual results.",
            "",
            "In a transcript, lines that are not indented say what is done, lines indented by four spaces say what "
                    + "comes out, and lines that begin with # are comments. 'help' in 'holdfast talk' lists all that can be done."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything came out as the transcripts say",
            "1:something else came out",
            "64:a file is missing or is not a transcript"
        },
        footerHeading = "%nExample:%n",
        footer = "  holdfast play story.txt")
final class Play implements Callable<Integer> {
    private final Streams streams;
    private final Ink ink;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "A transcript.")
    private List<Path> files = List.of();

    Play(Streams streams) {
        this.streams = streams;
        this.ink = new Ink(streams.coloured());
    }

    @Override
    public Integer call() {
        int worst = ExitCode.OK;
        for (Path file : files) {
            if (files.size() > 1) {
                streams.out().println(ink.transcriptLine("# " + file));
            }
            worst = Math.max(worst, play(file));
        }
        return worst;
    }

    private int play(Path file) {
        TranscriptRun run;
        try {
            run = TranscriptRun.of(Transcript.parse(Files.readString(file)));
        } catch (NoSuchFileException e) {
            return complain(file + ": there is no such file");
        } catch (IOException e) {
            return complain(file + ": cannot be read as text: " + e.getMessage());
        } catch (TranscriptException e) {
            return complain(file + ": " + e.getMessage());
        }
        run.text().lines().forEach(line -> streams.out().println(ink.transcriptLine(line)));
        for (Difference difference : run.differences()) {
            streams.err().println();
            streams.err()
                    .println(ink.error(file + ", not as expected at "
                            + difference.describe().stripTrailing()));
        }
        return run.isAsExpected() ? ExitCode.OK : ExitCode.DIFFERENT;
    }

    private int complain(String message) {
        streams.err().println(ink.error(message));
        return ExitCode.USAGE;
    }
}
