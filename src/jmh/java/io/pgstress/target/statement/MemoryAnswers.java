package io.pgstress.target.statement;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The server's side of one session of PostgreSQL's protocol, version 3: statements that begin with {@code s} return one row of an
 * int4 and a jsonb, others report one row. Each write must end with a whole message.
 */
final class MemoryAnswers {
    private static final String DOCUMENT = "{\"n\": 17, \"u\": \"a87ff679a2f3e71d9181a67b7542122c\", \"_id\": 1017}";
    private static final byte[] PARSED = message('1', new byte[0]);
    private static final byte[] BOUND = message('2', new byte[0]);
    private static final byte[] NO_DATA = message('n', new byte[0]);
    private static final byte[] IDLE = message('Z', new byte[] {'I'});
    private static final byte[] IN_TRANSACTION = message('Z', new byte[] {'T'});
    private static final byte[] COLUMNS = columns();
    private static final byte[] ROW = row();

    private final byte[][] tags = new byte[256][];
    private byte[] answer = new byte[1 << 13];
    private int end;
    private int begin;
    private boolean isStarted;
    private boolean isInTransaction;
    private byte[] tag = IDLE;

    /** Takes messages of the client and prepares the answers. */
    void write(byte[] b, int off, int len) {
        ByteBuffer in = ByteBuffer.wrap(b, off, len);
        if (!isStarted) {
            isStarted = true;
            start();
            return;
        }
        while (in.hasRemaining()) {
            int type = in.get();
            int next = in.position() + in.getInt(in.position());
            in.position(in.position() + 4);
            take(type, in);
            in.position(next);
        }
    }

    private void start() {
        send(message('R', new byte[4]));
        for (String status : new String[] {
            "server_version\00015.20",
            "client_encoding\000UTF8",
            "DateStyle\000ISO, MDY",
            "integer_datetimes\000on",
            "standard_conforming_strings\000on",
            "TimeZone\000UTC"
        }) {
            send(message('S', (status + "\000").getBytes(StandardCharsets.US_ASCII)));
        }
        send(message('K', new byte[8]));
        send(IDLE);
    }

    private void take(int type, ByteBuffer in) {
        switch (type) {
            case 'Q' -> {
                byte[] of = tag(in.get());
                if (of[5] == 'S') {
                    send(COLUMNS);
                    send(ROW);
                }
                send(of);
                ready(of);
            }
            case 'P' -> {
                int name = name(in);
                tags[name] = tag(in.get());
                send(PARSED);
            }
            case 'B' -> {
                name(in); // of the portal
                tag = tags[name(in)];
                send(BOUND);
            }
            case 'D' -> send(tag[5] == 'S' ? COLUMNS : NO_DATA);
            case 'E' -> {
                if (tag[5] == 'S') {
                    send(ROW);
                }
                send(tag);
            }
            case 'S' -> ready(tag);
            default -> throw new IllegalArgumentException("message " + (char) type);
        }
    }

    private void ready(byte[] of) {
        isInTransaction = of[5] == 'B' || (isInTransaction && of[5] != 'C');
        send(isInTransaction ? IN_TRANSACTION : IDLE);
    }

    /** The number in a name such as {@code S_12}; 0 if it is empty. */
    private static int name(ByteBuffer in) {
        int number = 0;
        for (int c = in.get(); c != 0; c = in.get()) {
            number = c >= '0' && c <= '9' ? 10 * number + c - '0' : number;
        }
        return number;
    }

    private static byte[] tag(int first) {
        return switch (first) {
            case 's' -> Tags.SELECT;
            case 'u' -> Tags.UPDATE;
            case 'i' -> Tags.INSERT;
            case 'b', 'B' -> Tags.BEGIN;
            case 'c', 'C' -> Tags.COMMIT;
            default -> throw new IllegalArgumentException("statement " + (char) first);
        };
    }

    private static final class Tags {
        static final byte[] SELECT = of("SELECT 1");
        static final byte[] UPDATE = of("UPDATE 1");
        static final byte[] INSERT = of("INSERT 0 1");
        static final byte[] BEGIN = of("BEGIN");
        static final byte[] COMMIT = of("COMMIT");

        private static byte[] of(String tag) {
            return message('C', (tag + "\000").getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void send(byte[] message) {
        if (end + message.length > answer.length) {
            answer = Arrays.copyOf(answer, 2 * answer.length);
        }
        System.arraycopy(message, 0, answer, end, message.length);
        end += message.length;
    }

    /** The next bytes of the answers; fails if the client reads what was not requested. */
    int read(byte[] b, int off, int len) {
        if (begin == end) {
            throw new IllegalStateException("no answer is due");
        }
        int n = Math.min(len, end - begin);
        System.arraycopy(answer, begin, b, off, n);
        begin += n;
        if (begin == end) {
            begin = 0;
            end = 0;
        }
        return n;
    }

    private static byte[] message(char type, byte[] body) {
        ByteBuffer bytes = ByteBuffer.allocate(5 + body.length);
        return bytes.put((byte) type).putInt(4 + body.length).put(body).array();
    }

    private static byte[] columns() {
        ByteBuffer body = ByteBuffer.allocate(256).putShort((short) 2);
        column(body, "_id", 1, 23, 4);
        column(body, "data", 2, 3802, -1);
        return message('T', Arrays.copyOf(body.array(), body.position()));
    }

    private static void column(ByteBuffer body, String name, int number, int type, int length) {
        body.put(name.getBytes(StandardCharsets.US_ASCII)).put((byte) 0).putInt(16_384);
        body.putShort((short) number)
                .putInt(type)
                .putShort((short) length)
                .putInt(-1)
                .putShort((short) 0);
    }

    private static byte[] row() {
        byte[] document = DOCUMENT.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer body = ByteBuffer.allocate(2 + 4 + 4 + 4 + document.length).putShort((short) 2);
        body.putInt(4).put(new byte[] {0, 0, 3, 57}).putInt(document.length).put(document);
        return message('D', body.array());
    }
}
