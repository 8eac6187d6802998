package dev.holdfast.server.settings.source;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A settings file: lines of {@code key = value}; empty lines and lines that begin with {@code #} are skipped.
 *
 * <p>Not YAML: thirty flat keys need no nesting, and a node should not carry a parser of that size for them. Not
 * {@link java.util.Properties} either: it forgets line numbers, overlooks a key that is there twice, and takes the
 * backslashes out of Windows paths. A {@code #} further on in a line belongs to the value.
 */
final class SettingsFile {
    private static final char COMMENT = '#';
    private static final char EQUALS = '=';

    private SettingsFile() {}

    static List<Given> read(Path file, Problems problems) {
        try {
            return parse(file.toString(), Files.readAllLines(file), problems);
        } catch (NoSuchFileException e) {
            problems.add("settings file " + file + ": does not exist");
        } catch (CharacterCodingException e) {
            problems.add("settings file " + file + ": must be UTF-8 text");
        } catch (IOException e) {
            problems.add("settings file " + file + ": cannot be read: " + e);
        }
        return List.of();
    }

    private static List<Given> parse(String file, List<String> lines, Problems problems) {
        List<Given> all = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.charAt(0) == COMMENT) {
                continue;
            }
            String origin = file + ':' + (i + 1);
            int equals = line.indexOf(EQUALS);
            if (equals <= 0) {
                problems.add(Given.quoted(line) + " (" + origin + "): must be \"key = value\", or a comment after #");
                continue;
            }
            String key = line.substring(0, equals).strip();
            all.add(new Given(key, line.substring(equals + 1).strip(), origin));
        }
        return all;
    }
}
