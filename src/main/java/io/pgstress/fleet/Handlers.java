package io.pgstress.fleet;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * What one side of a test does with each kind of message. Thread-safe once all handlers are known.
 *
 * @param <S> what a message concerns, such as its sender
 */
public final class Handlers<S> {
    private final Map<Class<? extends Message>, BiConsumer<S, Message>> byKind = new HashMap<>();

    /** Adds the handler of a kind. */
    public <M extends Message> Handlers<S> on(Class<M> kind, BiConsumer<S, M> handler) {
        byKind.put(kind, (subject, message) -> handler.accept(subject, kind.cast(message)));
        return this;
    }

    /** Handles a message; one without a handler is ignored. */
    public void handle(S subject, Message message) {
        BiConsumer<S, Message> handler = byKind.get(message.getClass());
        if (handler != null) {
            handler.accept(subject, message);
        }
    }
}
