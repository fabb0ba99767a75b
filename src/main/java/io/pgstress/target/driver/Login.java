package io.pgstress.target.driver;

/**
 * The role of sessions, and how its password is found.
 *
 * @param user the role; if empty, the role of the URL, the environment or the driver's default
 * @param passwordCommand a command of the shell that prints the password; an empty string: the password comes from the URL,
 *     the environment, the password file or the prompt
 * @param prompt asks for a password that nothing else provides
 */
public record Login(String user, String passwordCommand, PasswordPrompt prompt) {
    /** A role whose password the URL, the environment or the password file knows. */
    public static Login of(String user) {
        return new Login(user, "", PasswordPrompt.NONE);
    }
}
