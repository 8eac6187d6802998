package dev.holdfast.consensus;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * Directories and files that nobody but their owner can read, from the moment they are there, whatever the umask says.
 *
 * <p>A directory protects all that is in it, also what an engine or a library writes there. Where the file system knows
 * no owners, they are as they come.
 */
public final class OwnerOnly {
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

    private OwnerOnly() {}

    /** Makes a directory unless it is there; those above it are made as usual. */
    public static void createDirectory(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(directory, attributes(directory, DIRECTORY));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
    }

    /** Makes a file to write to, which must not be there. */
    public static FileChannel createFile(Path file) throws IOException {
        Set<OpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return FileChannel.open(file, options, attributes(file, FILE));
    }

    /** What others than the owner may do with it, such as {@code rwxr-xr-x}; empty if nothing. */
    public static Optional<String> wider(Path directory) throws IOException {
        if (!hasOwners(directory)) {
            return Optional.empty();
        }
        Set<PosixFilePermission> given = Files.getPosixFilePermissions(directory);
        return DIRECTORY.containsAll(given) ? Optional.empty() : Optional.of(PosixFilePermissions.toString(given));
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        return hasOwners(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    private static boolean hasOwners(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
