package io.pgstress.fleet;

import java.io.DataInput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Supplier;
import org.jgroups.BytesMessage;
import org.jgroups.FragmentedMessage;
import org.jgroups.Message;
import org.jgroups.MessageFactory;
import org.jgroups.ObjectMessage;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.util.Digest;
import org.jgroups.util.MutableDigest;
import org.jgroups.util.SeqnoList;
import org.jgroups.util.SizeStreamable;

/**
 * Replaces the kinds of messages that JGroups creates from received bytes. Its own can hold any object, by Java serialization or
 * by the name of a class. Here, only the two objects that its protocols send are read.
 */
final class SafeMessages extends MessageFactory {
    private static final Set<Class<?>> OBJECTS = Set.of(Digest.class, MutableDigest.class, SeqnoList.class);

    private SafeMessages() {}

    /** For the whole JVM; may be called again. */
    static void install() {
        Supplier<? extends Message> empty = creators[Message.EMPTY_MSG];
        Supplier<? extends Message> number = creators[Message.LONG_MSG];
        Arrays.fill(creators, null);
        creators[Message.EMPTY_MSG] = empty;
        creators[Message.LONG_MSG] = number;
        creators[Message.BYTES_MSG] = Bytes::new;
        creators[Message.FRAG_MSG] = Fragment::new;
        creators[Message.OBJ_MSG] = EngineObject::new;
    }

    private static void read(BytesMessage into, DataInput in) throws IOException {
        int length = in.readInt();
        if (length > GuardedTcp.MAX_FRAME) {
            throw new IOException("a message of " + length + " bytes");
        }
        if (length >= 0) {
            byte[] bytes = new byte[length];
            in.readFully(bytes);
            into.setArray(bytes, 0, length);
        }
    }

    /** Bytes that are never made an object. */
    private static final class Bytes extends BytesMessage {
        @Override
        public void readPayload(DataInput in) throws IOException {
            read(this, in);
        }

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // it overrides
        public <T> T getObject(ClassLoader loader) {
            throw new UnsupportedOperationException("a message of bytes is not an object");
        }

        @Override
        public Supplier<Message> create() {
            return Bytes::new;
        }
    }

    private static final class Fragment extends FragmentedMessage {
        @Override
        public void readPayload(DataInput in) throws IOException {
            read(this, in);
        }

        @Override
        public Supplier<Message> create() {
            return Fragment::new;
        }
    }

    private static final class EngineObject extends ObjectMessage {
        @Override
        public void readPayload(DataInput in) throws IOException, ClassNotFoundException {
            if (in.readByte() == 0) {
                return;
            }
            short number = in.readShort();
            SizeStreamable read = number < 0 ? null : ClassConfigurator.create(number);
            if (read == null || !OBJECTS.contains(read.getClass())) {
                throw new IOException("a message with an object of kind " + number);
            }
            read.readFrom(in);
            setObject(read);
        }

        @Override
        public Supplier<Message> create() {
            return EngineObject::new;
        }
    }
}
