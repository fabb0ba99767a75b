package io.pgstress.target.loop;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A selector of the JDK. */
final class SelectorPolling implements Polling {
    private final Selector selector;
    private final Consumer<SelectionKey> ready;

    /** @param ready called for each key whose channel is ready */
    SelectorPolling(Consumer<SelectionKey> ready) throws IOException {
        this.selector = Selector.open();
        this.ready = ready;
    }

    @Override
    public String name() {
        return "selector";
    }

    @Override
    public void begin() {
        // any thread may use a selector
    }

    @Override
    public SelectionKey register(SelectableChannel channel, Object attachment) throws IOException {
        return channel.register(selector, 0, attachment);
    }

    @Override
    public @Nullable Exchange exchange(SelectableChannel channel, ExchangeBuffers buffers) {
        return null;
    }

    @Override
    public void changed() {
        // the next poll takes it into account
    }

    @Override
    public void refresh() {
        // the next poll does
    }

    @Override
    public void poll(boolean waits) throws IOException {
        if (waits) {
            selector.select(ready);
        } else {
            selector.selectNow(ready);
        }
    }

    @Override
    public void wake() {
        selector.wakeup();
    }

    /** The selector itself, which can be polled like a channel. */
    Selector selector() {
        return selector;
    }

    @Override
    public void close() throws IOException {
        selector.close();
    }
}
