package io.pgstress.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Checks the jars that the build has made, so it runs after they are packaged. */
@Tag("packaged")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Packaged {}
