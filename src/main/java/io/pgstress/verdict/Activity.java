package io.pgstress.verdict;

import static io.pgstress.result.OperationWaits.CLIENT;
import static io.pgstress.result.OperationWaits.CONNECTION;
import static io.pgstress.result.OperationWaits.CPU;
import static io.pgstress.result.OperationWaits.ELSEWHERE;
import static io.pgstress.result.OperationWaits.WORDS;

import io.pgstress.result.RemarkCode;
import java.util.Comparator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a session did, or a server besides: a wait event, several events that have one cause, or work such as a checkpoint. Ordered by its
 * label. Immutable.
 *
 * @param place the server, if it works for the client's; empty if it is the client's
 * @param matter what several wait events have in common; null: this is one of its own
 * @param name the wait as {@link io.pgstress.result.OperationWaits} names it, or what the server did; empty with a matter
 */
record Activity(String place, @Nullable Matter matter, String name) implements Comparable<Activity> {
    private static final String LOCK = "Lock:";
    private static final String IO = "IO:";

    /**
     * Causes with several wait events. While one session writes WAL, the others wait for it with another event; the first session that waits
     * for a row waits for a transaction, the others for the row. Letters differ in case between PostgreSQL 16 and 17.
     */
    enum Matter {
        WAL("writing WAL", "(IO|LWLock):WAL.*"),
        DATA("data files", "IO:DataFile.*|IPC:BufferIO|LWLock:BufferIO"),
        TEMPORARY("temporary files", "IO:BufFile.*"),
        ROW("row locks", "Lock:(transactionid|tuple)");

        private final String words;
        private final Pattern events;

        Matter(String words, String events) {
            this.words = words;
            this.events = Pattern.compile(events, Pattern.CASE_INSENSITIVE);
        }
    }

    /** One of its own. */
    static Activity of(String place, String name) {
        return new Activity(place, null, name);
    }

    /** What a wait belongs to; the wait itself if that is a cause of its own. */
    static Activity causeOf(String place, String wait) {
        return Stream.of(Matter.values())
                .filter(matter -> matter.events.matcher(wait).matches())
                .findFirst()
                .map(matter -> new Activity(place, matter, ""))
                .orElseGet(() -> of(place, wait));
    }

    static boolean isLock(String wait) {
        return wait.startsWith(LOCK);
    }

    /** Whether a session of the place did it. */
    boolean isThere() {
        return !name.equals(ELSEWHERE);
    }

    /** Whether it is a wait for something on the server itself. */
    boolean isWaitOfServer() {
        return isThere() && !WORDS.containsKey(name);
    }

    /** The code of remarks on operations that were slow because of it. */
    RemarkCode code() {
        if (matter != null) {
            return switch (matter) {
                case WAL, DATA, TEMPORARY -> RemarkCode.SLOW_ON_IO;
                case ROW -> RemarkCode.SLOW_ON_LOCKS;
            };
        }
        return switch (name) {
            case CPU -> RemarkCode.SLOW_ON_CPU;
            case CLIENT -> RemarkCode.SLOW_ON_CLIENT;
            case CONNECTION -> RemarkCode.SLOW_ON_CONNECTIONS;
            default -> {
                if (isLock(name)) {
                    yield RemarkCode.SLOW_ON_LOCKS;
                }
                yield name.startsWith(IO) ? RemarkCode.SLOW_ON_IO : RemarkCode.SLOW_ON_WAITS;
            }
        };
    }

    /** As results name it: {@code worker b IO:DataFileRead}. */
    String label() {
        String own = matter == null ? name : matter.words;
        return place.isEmpty() ? own : place + " " + own;
    }

    /** What a session does, as a part of a sentence: {@code waiting for worker b data files}. */
    String words() {
        String word = WORDS.get(name);
        if (word != null) {
            return place.isEmpty() ? word : word + " (" + place + ")";
        }
        return matter == Matter.WAL ? label() : "waiting for " + label();
    }

    @Override
    public int compareTo(Activity other) {
        return Comparator.comparing(Activity::label).compare(this, other);
    }
}
