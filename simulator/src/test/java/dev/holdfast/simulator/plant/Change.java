package dev.holdfast.simulator.plant;

import dev.holdfast.core.event.Event;
import java.util.Collection;
import java.util.List;
import net.bytebuddy.asm.Advice;

/** What can be done to a method. The bodies are copied into it: they see only what it sees, and are called by nobody. */
@SuppressWarnings("UnusedVariable") // what is assigned here is read where it is copied to
final class Change {
    private Change() {}

    /** It does nothing; it gives nothing, zero or false. */
    static final class Nothing {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean skip() {
            return true;
        }
    }

    /** Its second argument is true. */
    static final class TakesTrue {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 1, readOnly = false) boolean second) {
            second = true;
        }
    }

    /** A number that it gives grows by a half. */
    static final class GivesHalfMore {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) long given) {
            given += given / 2;
        }
    }

    /** A time in nanoseconds that it gives is a second later. */
    static final class GivesASecondLater {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) long given) {
            given += 1_000_000_000L;
        }
    }

    /** Zero becomes one. */
    static final class NeverZero {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) long given) {
            given = Math.max(given, 1);
        }
    }

    /** Its second argument, a number, is rounded down to every third. */
    static final class RoundsSecond {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 1, readOnly = false) long second) {
            second = Math.max(1, second - second % 3);
        }
    }

    /** Its second argument, in milliseconds, is three seconds more. */
    static final class SecondThreeSecondsMore {
        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(value = 1, readOnly = false) long second) {
            second += 3_000;
        }
    }

    /** It does nothing for every seventh event. */
    static final class MissesEvents {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean skip(@Advice.Argument(0) Event event) {
            return event.revision() % 7 == 0;
        }
    }

    /** It gives its first argument. */
    static final class GivesFirst {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) long first, @Advice.Return(readOnly = false) long given) {
            given = first;
        }
    }

    /** What it is asked to do later it does now. */
    static final class RunsAtOnce {
        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.Argument(0) Runnable later) {
            later.run();
            return true;
        }
    }

    /** An entry that it finds counts as flushed. */
    static final class CountsAsFlushed {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) long index,
                @Advice.Return boolean found,
                @Advice.FieldValue(value = "flushed", readOnly = false) long flushed) {
            flushed = found ? Math.max(flushed, index) : flushed;
        }
    }

    /** Entries of whatever term count. */
    static final class CountsAllInFlight {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("inFlight") Collection<?> inFlight, @Advice.Return(readOnly = false) int given) {
            given = inFlight.size();
        }
    }

    static final class GivesNoList {
        @Advice.OnMethodExit
        static void exit(@Advice.Return(readOnly = false) List<?> given) {
            given = List.of();
        }
    }
}
