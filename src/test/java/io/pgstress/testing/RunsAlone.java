package io.pgstress.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Checks figures or times that other work on the machine would change, so it runs alone; {@code mvn -Pquick verify} skips it.
 */
@Tag("alone")
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface RunsAlone {}
