package io.pgstress.plan.option;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Why a file that the user named cannot be read, in words; the exceptions themselves give only their class and the name. */
public final class Unreadable {
    private Unreadable() {}

    /** The words that follow "cannot be read: ". */
    public static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        return e instanceof AccessDeniedException ? "permission is denied" : String.valueOf(e.getMessage());
    }
}
