package dev.holdfast.cli.run;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Ends a command, with all that it started, should this process vanish: SIGTERM, and SIGKILL to what is left of it
 * after the grace time.
 *
 * <p>A process that is killed by SIGKILL can do nothing any more, so another one does it: a shell that reads from a pipe
 * of which only this process holds the other end. However this process ends, the kernel closes that end.
 */
final class Lifeline implements Closeable {
    /** In a session of its own, where it has no part in what happens to this process's group or at its terminal. */
    private static final String APART = """
            command -v setsid >/dev/null && exec setsid "$@"
            exec "$@"
            """;

    /**
     * Reads the number of the command's first process, and {@code over} if there is nothing to end any more. When the
     * pipe has ended, its place is taken by a folder: the command can no longer name itself there, and so does not run;
     * one that had opened the pipe before is still heard.
     *
     * <p>Where the command has a group of its own, the group is ended; elsewhere those who descend from its first
     * process. It is looked for again and again, for it may be about to get its group, or to start another process. A
     * number is signalled only while it has been in use without a pause: once its process has ended it may be another's.
     */
    private static final String WATCH = """
            trap '' HUP INT QUIT TERM
            left=$1 first= known=
            hear() {
                while read -r word; do
                    [ "$word" != over ] || exit
                    first=$word
                done
            }
            hear
            exec 3<&0 </
            hear <&3
            [ -n "$first" ] || exit
            children() {
                cat "/proc/$1/task/"*/children && return
                ps -A -o ppid= -o pid= | while read -r parent child; do
                    [ "$parent" != "$1" ] || echo "$child"
                done
            }
            tree() {
                echo "$1"
                for child in $(children "$1"); do tree "$child"; done
            }
            trees() {
                for root in ${known:-$first}; do
                    if kill -s 0 -- "$root"; then tree "$root"; fi
                done
            }
            while [ "$left" -gt -20 ]; do
                found=
                if kill -s 0 -- "-$first"; then
                    all=-$first
                else
                    all=$(trees)
                fi
                for each in $all; do
                    case " $found " in *" $each "*) continue ;; esac
                    found="$found $each"
                    case " $known " in *" $each "*) ;; *) kill -s TERM -- "$each" ;; esac
                    [ "$left" -gt 0 ] || kill -s KILL -- "$each"
                done
                [ -n "$found" ] || exit
                known=$found
                left=$((left - 1))
                sleep 0.1
            done
            """;

    private static final long STEP_MILLIS = 100;

    private final Process watcher;

    private Lifeline(Process watcher) {
        this.watcher = watcher;
    }

    /** Starts to watch this process, for a command yet to be named. */
    static Lifeline start(Duration grace) throws IOException {
        String steps = Long.toString((grace.toMillis() + STEP_MILLIS - 1) / STEP_MILLIS);
        return new Lifeline(new ProcessBuilder(List.of("sh", "-c", APART, "sh", "sh", "-c", WATCH, "sh", steps))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start());
    }

    /** Its process: who can write to its input can name the command. */
    long pid() {
        return watcher.pid();
    }

    /** Names the command's first process. */
    void holds(long pid) {
        tell(Long.toString(pid));
    }

    /** The command has ended: what it left behind stays. */
    @Override
    public void close() {
        tell("over");
    }

    private void tell(String word) {
        try {
            OutputStream out = watcher.getOutputStream();
            out.write((word + '\n').getBytes(StandardCharsets.US_ASCII));
            out.flush();
        } catch (IOException e) {
            // It has ended, by somebody else's hand or because it was told so before: there is nobody to tell.
        }
    }
}
