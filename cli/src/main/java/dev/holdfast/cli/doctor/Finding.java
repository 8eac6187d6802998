package dev.holdfast.cli.doctor;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something an operator should know.
 *
 * @param name a short constant name, for scripts
 * @param what what was seen
 * @param why why it matters
 * @param run what to do, with the command to run where there is one
 */
record Finding(Severity severity, String name, String what, String why, String run) {

    /** How bad it is. */
    enum Severity {
        /** Locks cannot be had, or something promised is at stake. */
        PROBLEM,
        /** It works, but one more failure or some more load will hurt. */
        WARNING,
        /** Nothing is wrong, but it may surprise. */
        NOTE
    }

    static Finding problem(String name, String what, String why, String run) {
        return new Finding(Severity.PROBLEM, name, what, why, run);
    }

    static Finding warning(String name, String what, String why, String run) {
        return new Finding(Severity.WARNING, name, what, why, run);
    }

    static Finding note(String name, String what, String why, String run) {
        return new Finding(Severity.NOTE, name, what, why, run);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("severity", severity);
        json.put("name", name);
        json.put("what", what);
        json.put("why", why);
        json.put("run", run);
        return json;
    }
}
