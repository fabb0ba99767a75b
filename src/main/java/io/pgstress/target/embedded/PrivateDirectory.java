package io.pgstress.target.embedded;

import io.pgstress.target.driver.TargetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/** A directory that only its owner may use, because programs are run from it. */
final class PrivateDirectory {
    private static final Set<PosixFilePermission> OWNERS = PosixFilePermissions.fromString("rwx------");

    private PrivateDirectory() {}

    /**
     * Restricts the directory to this user, if the platform has such permissions.
     *
     * @return what was repaired, to be reported; empty if nothing was
     * @throws TargetException if it belongs to another user, who could replace its contents
     */
    static String secure(Path directory) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(directory, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (view == null || !Files.exists(directory)) {
            return "";
        }
        UserPrincipal owner = view.readAttributes().owner();
        UserPrincipal self = self();
        if (!owner.equals(self)) {
            throw new TargetException(directory + " belongs to " + owner.getName() + ", not to " + self.getName()
                    + ": the programs in it are not run; remove it, or set PGSTRESS_HOME to another directory");
        }
        Set<PosixFilePermission> found = view.readAttributes().permissions();
        if (found.equals(OWNERS)) {
            return "";
        }
        view.setPermissions(OWNERS);
        return found.contains(PosixFilePermission.OTHERS_WRITE) || found.contains(PosixFilePermission.GROUP_WRITE)
                ? directory + " was writable by other users (" + PosixFilePermissions.toString(found)
                        + ") and is private now; if others use this machine, remove it, and it will be unpacked again"
                : "";
    }

    /** The user who owns the files that this process creates. */
    private static UserPrincipal self() throws IOException {
        Path made = Files.createTempFile("pgstress", ".owner");
        try {
            return Files.getOwner(made);
        } finally {
            Files.delete(made);
        }
    }
}
