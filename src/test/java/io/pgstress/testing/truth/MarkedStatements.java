package io.pgstress.testing.truth;

import io.pgstress.testing.wire.Message;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The statements and portals of a session that belong to the marked statement. Not thread-safe. */
final class MarkedStatements {
    /** How much of a batch concerns marked statements. */
    enum Share {
        NONE,
        SOME,
        ALL
    }

    private final Set<String> names = new HashSet<>(); // S and a statement's name, P and a portal's

    static boolean isMarked(String sql) {
        String text = sql.strip();
        return TruthServer.STATEMENT.equals(text.endsWith(";") ? text.substring(0, text.length() - 1) : text);
    }

    /** Classifies messages of the extended query protocol and remembers the names they define. Close counts as neither. */
    Share of(List<Message> batch) {
        boolean here = false;
        boolean there = false;
        for (Message message : batch) {
            boolean isMarked = note(message);
            here |= isMarked;
            there |= !isMarked && message.type() != 'C';
        }
        return !here ? Share.NONE : there ? Share.SOME : Share.ALL;
    }

    private boolean note(Message message) {
        return switch (message.type()) {
            case 'P' -> remember("S" + message.text(0, 0), isMarked(message.text(0, 1)));
            case 'B' -> remember("P" + message.text(0, 0), names.contains("S" + message.text(0, 1)));
            case 'E' -> names.contains("P" + message.text(0, 0));
            case 'D' -> names.contains(message.subject());
            default -> false;
        };
    }

    private boolean remember(String name, boolean isMarked) {
        if (isMarked) {
            names.add(name);
        } else {
            names.remove(name);
        }
        return isMarked;
    }

    /** The answer to a batch with marked statements only. */
    static Reply answer(List<Message> batch) {
        Reply reply = new Reply();
        for (Message message : batch) {
            switch (message.type()) {
                case 'P' -> reply.parseComplete();
                case 'B' -> reply.bindComplete();
                case 'C' -> reply.closeComplete();
                case 'E' -> reply.row();
                default -> describe(message, reply);
            }
        }
        return reply;
    }

    private static void describe(Message message, Reply reply) {
        if (message.at(0) == 'S') {
            reply.noParameters();
        }
        reply.rowDescription();
    }
}
