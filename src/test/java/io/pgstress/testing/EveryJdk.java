package io.pgstress.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Checks what differs from JDK to JDK, such as client threads, event loops, pools on them, the start-up cache, the launcher, and
 * signals. {@code .ci/run} runs it on a second JDK, too.
 */
@Tag("jdk")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface EveryJdk {}
