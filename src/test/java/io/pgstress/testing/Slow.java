package io.pgstress.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Takes more than about a second; {@code mvn -Pquick verify} skips it. */
@Tag("slow")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Slow {}
