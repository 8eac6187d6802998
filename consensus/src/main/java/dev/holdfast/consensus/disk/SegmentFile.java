package dev.holdfast.consensus.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A file of the log, named after the first index in it. */
record SegmentFile(long firstIndex, Path path) {
    private static final Pattern NAME = Pattern.compile("log-(\\d{19})");

    static SegmentFile in(Path directory, long firstIndex) {
        return new SegmentFile(firstIndex, directory.resolve(String.format(Locale.ROOT, "log-%019d", firstIndex)));
    }

    /** All of a directory's, oldest first. */
    static List<SegmentFile> list(Path directory) throws IOException {
        List<SegmentFile> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches()) {
                    found.add(new SegmentFile(Long.parseLong(name.group(1)), file));
                }
            }
        }
        found.sort(Comparator.comparingLong(SegmentFile::firstIndex));
        return found;
    }

    /** Deletes what a snapshot after {@code index} makes needless: all files that end at or before it. */
    static void deleteCovered(Path directory, long index) throws IOException {
        List<SegmentFile> segments = list(directory);
        boolean deleted = false;
        for (int i = 0; i + 1 < segments.size(); i++) {
            if (segments.get(i + 1).firstIndex() <= index + 1) {
                Files.delete(segments.get(i).path());
                deleted = true;
            }
        }
        if (deleted) {
            Directories.sync(directory);
        }
    }
}
