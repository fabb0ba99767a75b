package io.pgstress.target.driver;

/**
 * The role of sessions, and how its password is found.
 *
 * @param user the role; an empty string: that of the URL, the environment or the driver's default
 * @param passwordCommand a command of the shell that prints the password; an empty string: the password is that of the URL, the
 *     environment or the password file
 */
public record Login(String user, String passwordCommand) {}
