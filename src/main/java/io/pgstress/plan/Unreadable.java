package io.pgstress.plan;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Why a file that the user named cannot be read, in words: what the exceptions themselves say is their class and the name. */
public final class Unreadable {
    private Unreadable() {}

    /** The words for it, which go on from "cannot be read: ". */
    public static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file";
        }
        return e instanceof AccessDeniedException ? "permission is denied" : String.valueOf(e.getMessage());
    }
}
