package io.pgstress.text;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes records by the names of their components, so that a copy names only what differs. Thread-safe; not for the hot path. */
public final class Records {
    private record Shape(List<RecordComponent> components, Constructor<?> constructor) {
        static Shape of(Class<?> type) {
            List<RecordComponent> components = List.of(type.getRecordComponents());
            try {
                Constructor<?> constructor = type.getDeclaredConstructor(
                        components.stream().map(RecordComponent::getType).toArray(Class<?>[]::new));
                constructor.setAccessible(true);
                components.forEach(c -> c.getAccessor().setAccessible(true));
                return new Shape(components, constructor);
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException("every record has a canonical constructor", e);
            }
        }
    }

    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return Shape.of(type);
        }
    };

    private Records() {}

    /**
     * A copy with another value of one component.
     *
     * @throws IllegalArgumentException if the record has no such component
     */
    public static <R extends Record> R with(R record, String component, @Nullable Object value) {
        if (SHAPES.get(record.getClass()).components().stream()
                .noneMatch(c -> c.getName().equals(component))) {
            throw new IllegalArgumentException(record.getClass() + " has no component " + component);
        }
        return make(record, c -> c.getName().equals(component) ? value : value(record, c));
    }

    /**
     * A record of the same class as another.
     *
     * @param value gives the value of each component
     */
    @SuppressWarnings("unchecked")
    public static <R extends Record> R make(R like, Function<RecordComponent, @Nullable Object> value) {
        Shape shape = SHAPES.get(like.getClass());
        try {
            return (R) shape.constructor()
                    .newInstance(shape.components().stream().map(value).toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(like.getClass().getName(), e);
        }
    }

    /** The components of a record, in order, for {@link #value}. */
    public static List<RecordComponent> components(Record record) {
        return SHAPES.get(record.getClass()).components();
    }

    /** The value of a component, which {@link #make} or {@link #components} has given. */
    public static @Nullable Object value(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(component.toString(), e);
        }
    }
}
