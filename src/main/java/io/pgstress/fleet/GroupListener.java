package io.pgstress.fleet;

/**
 * Learns what happens in a {@link Group}. The methods are called one at a time and must return soon. They may send. Messages of
 * one member arrive in the order in which it sent them.
 */
public interface GroupListener {
    /** The bytes are not used again. A member's messages arrive after {@link #joined} and before {@link #left}. */
    void received(Member from, byte[] message);

    void joined(Member member);

    /** The member left, or nothing was heard of it for some seconds. If it returns, it joins as another member. */
    void left(Member member);
}
