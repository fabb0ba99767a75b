package io.pgstress.target.driver;

import org.jspecify.annotations.Nullable;

/** Asks the user for a password that a server wants and nothing else provides. Thread-safe. */
public interface PasswordPrompt {
    /** Nobody can be asked. */
    PasswordPrompt NONE = role -> null;

    /** The password of a role; null if there is nobody to ask. A role is asked for once. */
    @Nullable
    String password(String role);
}
